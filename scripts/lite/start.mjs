// Starts Pyodide with what every notebook needs: JupyterLite takes this for Pyodide.
// Importing it is enough to begin; loadPyodide, which is asked for later, hands it over.
import { loadPyodide as loadCore } from "./pyodide.mjs";

const here = new URL(".", import.meta.url).href;
const site = "/lib/python3.14/site-packages";

async function unzipped(answer) {
  const { body, ok, url } = await answer;
  if (!ok) throw new Error(`${url} cannot be loaded`);
  const stream = body.pipeThrough(new DecompressionStream("gzip"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

// Python unpacks wheels file by file, which takes it ten times as long.
function unpack(files, tar) {
  const decoder = new TextDecoder();
  const folders = new Set();
  for (let at = 0; tar[at]; ) {
    const field = (start, length) =>
      decoder.decode(tar.subarray(at + start, at + start + length)).replace(/\0.*$/s, "");
    const path = [site, field(345, 155), field(0, 100)].filter(Boolean).join("/");
    const folder = path.slice(0, path.lastIndexOf("/"));
    if (!folders.has(folder)) files.mkdirTree(folder);
    folders.add(folder);
    const size = parseInt(field(124, 12), 8);
    files.writeFile(path, tar.subarray(at + 512, at + 512 + size), { canOwn: true });
    at += 512 * (1 + Math.ceil(size / 512));
  }
}

// All is asked for at once, and used in this order.
const [kernel, rest, names] = ["kernel.tar.gz", "rest.tar.gz", "archives.json"].map((name) =>
  fetch(here + name),
);

async function start() {
  const pyodide = await loadCore({ indexURL: here });
  unpack(pyodide.FS, await unzipped(kernel));
  // The kernel calls this before each cell.
  const usual = pyodide.loadPackagesFromImports;
  pyodide.loadPackagesFromImports = async (code, ...more) => {
    if (/\bimport\b|^\s*%/m.test(code)) await finished;
    return usual(code, ...more);
  };
  // The reader's files lie in the current folder. Each look at it is a request that
  // Python waits for, and imports would look there first, for each of 800 modules.
  pyodide.runPython(`
    import importlib, sys
    sys.path.remove("")
    importlib.invalidate_caches()
    import piplite.piplite, pyodide_kernel
  `);
  for (const name of await (await names).json()) {
    pyodide.loadedPackages[name] = "default channel"; // or it would be fetched once more
  }
  return pyodide;
}

// What a notebook imports. Its first cell waits for this, but not one that only prints.
async function finish(pyodide) {
  const tar = await unzipped(rest);
  unpack(pyodide.FS, tar);
  pyodide.runPython(`
    importlib.invalidate_caches()
    import matplotlib.pyplot, posenc.display
  `);
}

let begin;
const finished = new Promise((done) => (begin = done));
const starting = start();

export async function loadPyodide({ stdout, stderr }) {
  const pyodide = await starting;
  pyodide.setStdout({ batched: stdout });
  pyodide.setStderr({ batched: stderr });
  setTimeout(() => begin(finish(pyodide)), 500); // the kernel gets ready meanwhile
  return pyodide;
}
