// node solve_all.mjs <folder with Pyodide> <file with [{code, setup, check}, …]>: runs all
// in the Python of the pages, and writes what came of each, and which modules Python had
// to compile for the first.
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
const UNCOMPILED = `
import importlib.util, os, sys
specs = [module.__spec__ for module in sys.modules.values() if module.__spec__]
sources = {s.name: s.origin for s in specs if s.origin and s.origin.endswith(".py")}
cached = importlib.util.cache_from_source
[name for name, file in sources.items() if not os.path.exists(cached(file))]
`;
let drawing = false, uncompiled;
const found = JSON.parse(readFileSync(asked, "utf-8")).map((job) => {
  const { steps, draws } = python.plan(job);
  if (draws && !drawing) python.add(gunzipSync(readFileSync(`${folder}/drawing.tar.gz`)));
  drawing ||= draws;
  const result = python.run({ ...job, steps });
  uncompiled ??= pyodide.runPython(UNCOMPILED).toJs();
  return { draws, ...result };
});
process.stdout.write(JSON.stringify({ found, uncompiled }));
