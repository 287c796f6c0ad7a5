// Compiles to bytecode, with Pyodide under Node, what a notebook imports when it starts.
// node compile.mjs <folder with Pyodide> <packages, comma separated> <program.py>
// The program runs with the packages loaded; what it leaves in `result` goes to stdout.
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const [folder, packages, program] = process.argv.slice(2);
const { loadPyodide } = await import(pathToFileURL(`${folder}/pyodide.mjs`));
const nowhere = () => {};
const pyodide = await loadPyodide({ indexURL: folder, stdout: nowhere, stderr: nowhere });
await pyodide.loadPackage(packages.split(","), { messageCallback: nowhere });
process.stdout.write(pyodide.runPython(readFileSync(program, "utf-8")));
