// Compiles to bytecode, with Pyodide under Node, what the Python of a page imports.
// node compile.mjs <folder with Pyodide>
import { readFileSync } from "node:fs";
import { fileURLToPath, pathToFileURL } from "node:url";

const [folder] = process.argv.slice(2);
const { loadPyodide } = await import(pathToFileURL(`${folder}/pyodide.mjs`));
const nowhere = () => {};
const pyodide = await loadPyodide({ indexURL: folder, stdout: nowhere, stderr: nowhere });
await pyodide.loadPackage("posenc", { messageCallback: nowhere });
const own = fileURLToPath(new URL("page_python", import.meta.url));
pyodide.mountNodeFS("/lib/python3.14/site-packages/page_python", own);
const program = readFileSync(new URL("compile.py", import.meta.url), "utf-8");
process.stdout.write(pyodide.runPython(program));
