// Keeps the memory of a Pyodide that has just imported the kernel, under Node.
// node snapshot.mjs <folder with Pyodide and kernel.tar.gz>
import { readFileSync, writeFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { gunzipSync, gzipSync } from "node:zlib";
import { importKernel, placeOf, unpack } from "./kernel.mjs";

const [folder] = process.argv.slice(2);
const { loadPyodide } = await import(pathToFileURL(`${folder}/pyodide.mjs`));
const pyodide = await loadPyodide({
  indexURL: folder,
  _makeSnapshot: true,
  // Nothing of this machine is kept: a browser's Pyodide has these.
  _sysExecutable: "./this.program",
  lockFileContents: readFileSync(`${folder}/pyodide-lock.json`, "utf-8"),
  packageBaseUrl: "./",
});
unpack(pyodide.FS, gunzipSync(readFileSync(`${folder}/kernel.tar.gz`)));
importKernel(pyodide);
const memory = pyodide.makeMemorySnapshot({
  serializer: (value) => placeOf(value, pyodide._api),
});
writeFileSync(`${folder}/kernel.memory.gz`, gzipSync(memory, { level: 9 }));
