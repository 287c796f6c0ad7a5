// Python with what a check imports: in the worker of a page (worker.mjs), and under Node
// where all solutions are tried.
import { runApart, unpack } from "../kernel.mjs";

// `tar`: bytes of solve.tar.
export function prepare(pyodide, tar) {
  unpack(pyodide.FS, tar);
  // Imports would look into the current folder first, for each of 300 modules.
  runApart(pyodide, `
    import importlib, random, sys
    if "" in sys.path: sys.path.remove("")
    importlib.invalidate_caches()
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
