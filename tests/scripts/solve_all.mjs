// node solve_all.mjs <folder with Pyodide> <file with [{code, setup, check}, …]>: runs all
// in the Python of the pages, and writes what came of each.
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { gunzipSync } from "node:zlib";

const [folder, asked] = process.argv.slice(2);
const { loadPyodide } = await import(pathToFileURL(`${folder}/pyodide.mjs`));
const { prepare } = await import(pathToFileURL(`${folder}/solve/python.mjs`));
const nowhere = () => {};
const pyodide = await loadPyodide({ indexURL: folder, stdout: nowhere, stderr: nowhere });
const tar = gunzipSync(readFileSync(`${folder}/solve.tar.gz`));
const python = prepare(pyodide, tar);
let drawing = false;
const found = JSON.parse(readFileSync(asked, "utf-8")).map((job) => {
  const { steps, draws } = python.plan(job);
  if (draws && !drawing) python.add(gunzipSync(readFileSync(`${folder}/drawing.tar.gz`)));
  drawing ||= draws;
  return { draws, ...python.run({ ...job, steps }) };
});
process.stdout.write(JSON.stringify(found));
