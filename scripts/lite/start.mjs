// Starts Pyodide with what every notebook needs: JupyterLite takes this for Pyodide.
// Importing it is enough to begin; loadPyodide, which is asked for later, hands it over.
import { importKernel, runApart, unpack, valueAt } from "./kernel.mjs";
import { loadPyodide as loadCore } from "./pyodide.mjs";

const here = new URL(".", import.meta.url).href;

async function unzipped(answer) {
  const { body, ok, url } = await answer;
  if (!ok) throw new Error(`${url} cannot be loaded`);
  const stream = body.pipeThrough(new DecompressionStream("gzip"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

// All is asked for at once, and used in this order. The memory is one of a Python that
// can wait for promises: a browser that cannot do this starts without it.
const asked = ["kernel.tar.gz", "rest.tar.gz", "archives.json"];
if ("Suspending" in WebAssembly) asked.unshift("kernel.memory.gz");
const [names, rest, kernel, memory] = asked.map((name) => fetch(here + name)).reverse();

// Takes the memory of a Python that has imported the kernel (snapshot.mjs).
async function loadWithMemory() {
  const kept = await unzipped(memory);
  let api;
  return loadCore({
    indexURL: here,
    _loadSnapshot: kept,
    async createPyodideModule(settings) {
      ({ API: api } = settings);
      // Pyodide copies the memory over its own, which must be large enough.
      settings.preRun.push((module) => module._malloc(kept.length));
      const { default: create } = await import("./pyodide.asm.mjs");
      const module = await create(settings);
      // Pyodide would put an empty object in the place of this one.
      const { getExpectedKeys } = api;
      api.getExpectedKeys = () => [...getExpectedKeys().slice(0, -1), api.public_api.loadedPackages];
      return module;
    },
    _snapshotDeserializer: (place) =>
      place[1] === "loadPackagesFromImports" ? whenFinished : valueAt(place, api),
  });
}

const loadPlain = () => loadCore({ indexURL: here });

let usual;
// The kernel calls this before each cell.
async function whenFinished(code, ...more) {
  if (/\bimport\b|^\s*%/m.test(code)) await finished;
  return usual(code, ...more);
}

function withoutMemory(error) {
  console.warn("Python starts without its memory.", error);
  return loadPlain();
}

async function start() {
  const pyodide = await (memory ? loadWithMemory().catch(withoutMemory) : loadPlain());
  usual = pyodide.loadPackagesFromImports;
  pyodide.loadPackagesFromImports = whenFinished;
  unpack(pyodide.FS, await unzipped(kernel));
  importKernel(pyodide);
  for (const name of await (await names).json()) {
    pyodide.loadedPackages[name] = "default channel"; // or it would be fetched once more
  }
  return pyodide;
}

// What a notebook imports. Its first cell waits for this, but not one that only prints.
async function finish(pyodide) {
  const tar = await unzipped(rest);
  unpack(pyodide.FS, tar);
  runApart(pyodide, `
    import importlib
    importlib.invalidate_caches()
    import matplotlib.pyplot, posenc.pages.display
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
