// Python with what a check imports: in the worker of a page (worker.mjs), and under Node
// where all solutions are tried.
const site = "/lib/python3.14/site-packages";

// pyodide.unpackArchive would delay the first verdict by a quarter: 0.7 of 2.8 s of work.
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

// Runs code whose names do not become the reader's.
function runApart(pyodide, code) {
  const names = pyodide.toPy({});
  pyodide.runPython(code, { globals: names });
  names.destroy();
}

// `tar`: bytes of solve.tar.
export function prepare(pyodide, tar) {
  unpack(pyodide.FS, tar);
  // Imports would look into the current folder first, for each of 300 modules. The list
  // of what is in Python's own archive stays: to read it again takes longer than all this.
  runApart(pyodide, `
    import random, sys
    if "" in sys.path: sys.path.remove("")
    sys.path_importer_cache.clear()
    import numpy
    random.seed()
  `);
  const part = (name) => pyodide.pyimport(`page_python.${name}`);
  const runner = part("run"), helper = part("names");
  const given = (list) => pyodide.toPy(list);
  return {
    plan: ({ code, check = "", steps }) =>
      plain(helper.plan, `${code}\n${check}`, given(steps)),
    run: ({ code, steps, check = "", look = "light", tell }) =>
      plain(runner.run, code, given(steps), check, look, tell),
    hint: ({ exercise, number }) => plain(runner.give_hint, exercise, number),
    complete: ({ path, code, setup }) => ({
      found: plain(helper.complete, path, code, given(setup)),
    }),
    describe: ({ path, code, setup }) => ({
      found: plain(helper.describe, path, code, given(setup)),
    }),
    // Bytes of drawing.tar, once: matplotlib and the book's figures.
    add(tar) {
      unpack(pyodide.FS, tar);
      runApart(pyodide, "import importlib; importlib.invalidate_caches()");
    },
  };
}

function plain(call, ...given) {
  const answer = call(...given);
  call.destroy();
  if (!answer?.toJs) return answer; // a text
  const found = answer.toJs({ dict_converter: Object.fromEntries });
  answer.destroy();
  return found;
}
