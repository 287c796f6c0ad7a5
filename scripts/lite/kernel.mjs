// What it takes to import the kernel into Pyodide. Done under Node when the site is
// built, whose memory is then kept, and again in the reader's browser (start.mjs).

const site = "/lib/python3.14/site-packages";

// Python unpacks wheels file by file, which takes it ten times as long.
export function unpack(files, tar) {
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

// With a memory that was kept, the import finds all modules there. What is not in the
// memory is done again: the kernel's folders, and chance that differs from visit to visit.
export function importKernel(pyodide) {
  // The reader's files lie in the current folder. Each look at it is a request that
  // Python waits for, and imports would look there first, for each of 800 modules.
  runApart(pyodide, `
    import importlib, os, random, sys
    sys.path.remove("")
    importlib.invalidate_caches()
    import piplite.piplite, pyodide_kernel
    profile = pyodide_kernel.ipython_shell.profile_dir
    os.makedirs(profile.location, exist_ok=True)
    profile.check_dirs()
    random.seed()
  `);
}

// Runs code whose names do not become the reader's.
export function runApart(pyodide, code) {
  const names = pyodide.toPy({});
  pyodide.runPython(code, { globals: names });
  names.destroy();
}

// A memory holds no functions of JavaScript, only where to find them again.
const holders = (api) => ({ api, public: api.public_api });

export function placeOf(value, api) {
  for (const [holder, object] of Object.entries(holders(api))) {
    for (const name of Object.getOwnPropertyNames(object)) {
      if (Object.getOwnPropertyDescriptor(object, name).value === value) return [holder, name];
    }
  }
  throw new Error(`the kernel keeps something that cannot be found again: ${value}`);
}

export const valueAt = ([holder, name], api) => holders(api)[holder][name];
