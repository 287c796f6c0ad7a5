// The worker of a page: one Python. Messages in: {act: "run" | "hint" | "complete" |
// "describe", …}; out: {state: "ready" | "failed"}, then for each message {state:
// "running"}, {state: "printed"} for each text, and what came of it, {state: "done"}, or
// {state: "missing"} if a file did not come, or "broken" if Python cannot go on.
import { prepare } from "./python.mjs";

const here = new URL("..", import.meta.url).href;

// Pyodide waits for ever for a file that does not come. So whatever it fetches, or drops,
// ends the start.
const lost = new Promise((_, fail) => {
  const ask = self.fetch;
  self.fetch = async (...asked) => {
    const answer = await ask(...asked).catch(() => ({ status: "no connection" }));
    if (answer.ok) return answer;
    const name = String(asked[0].url ?? asked[0]).replace(here, "");
    const text = `${name} could not be loaded (${answer.status})`;
    const error = Object.assign(new Error(text), { file: name });
    fail(error);
    throw error;
  };
  self.addEventListener("unhandledrejection", ({ reason }) => fail(reason));
});

let drawing; // matplotlib, which most pages do without
const draw = (python) => (drawing ??= unzipped("drawing.tar.gz").then(python.add));

const got = (name) => fetch(here + name);

async function unzipped(name) {
  const stream = (await got(name)).body.pipeThrough(new DecompressionStream("gzip"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

async function start() {
  const archive = unzipped("solve.tar.gz");
  archive.catch(() => {}); // told below
  const compiled = import("../pyodide.asm.mjs");
  compiled.catch(() => {});
  const { loadPyodide } = await import("../pyodide.mjs");
  const pyodide = await loadPyodide({ indexURL: here });
  return prepare(pyodide, await archive);
}

const starting = Promise.race([start(), lost]);
starting.then(
  () => postMessage({ state: "ready" }),
  (error) => postMessage({ state: "failed", problem: error.message }),
);

const tell = (text) => postMessage({ state: "printed", text });

self.onmessage = async ({ data }) => {
  const python = await starting;
  try {
    const { steps, draws } = data.act === "run" ? python.plan(data) : {};
    if (draws) {
      if (!drawing) postMessage({ state: "fetching" });
      await draw(python);
    }
    postMessage({ state: "running" });
    postMessage({ state: "done", ...python[data.act]({ ...data, steps, tell }) });
  } catch (error) {
    const problem = String(error.message).slice(-300);
    postMessage({ state: error.file ? "missing" : "broken", problem });
    if (error.file) drawing = undefined; // the next run tries again
  }
};
