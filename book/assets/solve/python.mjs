// One Python in a worker. It answers one message after the other; what takes too long ends
// with the worker, since nothing else ends a loop, and a new one starts.

const LIMIT = 15; // seconds, then the worker is terminated
const PATIENCE = 20; // seconds until a reader hears that Python has not come
const AGAIN = "Your code is kept, and Python starts again.";

export default function python(address) {
  let worker, ready, isUp, current, clock, patience, isLate;
  const waiting = [];
  const limit = () => Number(document.body.dataset.limit ?? LIMIT);
  const watch = (problem) => {
    clearTimeout(clock);
    clock = setTimeout(() => end(problem), 1000 * limit());
  };

  function start() {
    if (ready) return ready;
    ready = new Promise((done, fail) => {
      const boot = () => {
        worker?.terminate();
        const seconds = Number(document.body.dataset.patience ?? PATIENCE);
        arrived();
        patience = setTimeout(() => {
          // Told to whoever waits, also later: of those who only look at an editor, nobody.
          isLate = () => current?.late(seconds, boot);
          isLate();
        }, 1000 * seconds);
        begin(done, fail);
      };
      boot();
    });
    return ready;
  }

  function arrived() {
    clearTimeout(patience);
    isLate = undefined;
  }

  function begin(done, fail) {
    worker = new Worker(`${address}solve/worker.mjs`, { type: "module" });
    worker.onerror = (event) => {
      event.preventDefault();
      lost("Python could not be loaded. Look at your connection, and try again.", fail);
    };
    worker.onmessage = ({ data }) => {
      const { state, problem } = data;
      if (state === "ready") {
        arrived();
        done((isUp = true));
      } else if (state === "failed")
        lost(`Python could not be started: ${problem}. Your answer is kept; try again, or open the notebook.`, fail);
      else if (state === "broken")
        end(`Python broke down (${problem}). ${AGAIN}`);
      else if (state === "fetching") {
        clearTimeout(clock); // a slow line is no loop
        current.busy("matplotlib is loaded: 9 MB, on the first visit only …");
      } else if (state === "running") {
        watch(`Stopped after ${limit()} seconds: is there a loop that never ends? ${AGAIN}`);
        current.busy("Running …");
      } else if (state === "printed") current.print(data.text);
      else if (state === "missing")
        settle(({ fail }) => fail(new Error(`${problem}. Your code is kept; try again.`)));
      else settle(({ done }) => done(data));
    };
  }

  function drop() {
    arrived();
    worker?.terminate();
    worker = ready = undefined;
    isUp = false;
  }

  function lost(problem, fail) {
    drop();
    fail(new Error(problem));
    if (current) settle(({ fail }) => fail(new Error(problem)));
  }

  function end(problem) {
    drop();
    settle(({ fail }) => fail(new Error(problem)));
    start().catch(() => {});
  }

  function settle(tell) {
    clearTimeout(clock);
    const ended = current;
    current = undefined;
    tell(ended);
    next();
  }

  async function next() {
    if (current || !waiting.length) return;
    const turn = (current = waiting.shift());
    turn.busy(isUp ? "Waiting for Python …" : "Python starts: 13 MB, on the first visit only …");
    isLate?.(); // somebody who only looked at the editor has not heard it
    try {
      await start();
    } catch (problem) {
      if (current === turn) settle(({ fail }) => fail(problem));
      return;
    }
    if (current !== turn) return; // stopped meanwhile
    worker.postMessage(turn.message);
    // A worker that its browser ended, for want of memory, says nothing.
    watch(`Python was gone: this device may have had too little memory. ${AGAIN}`);
  }

  const nowhere = () => {};
  const ask = (message, { owner, busy = nowhere, print = nowhere, late = nowhere } = {}) =>
    new Promise((done, fail) => {
      waiting.push({ message, owner, busy, print, late, done, fail });
      next();
    });

  return {
    start: () => start().catch(() => {}),
    ask,
    // Code may have changed a module, such as np.abs: only a new Python forgets that.
    restart() {
      if (!isUp || current) return;
      drop();
      start().catch(() => {});
    },
    // What only helps: not while Python is busy, or away.
    askIfFree: (message) => (isUp && !current ? ask(message).catch(() => null) : Promise.resolve(null)),
    stop(owner) {
      const problem = new Error(`You stopped it. ${AGAIN}`);
      const place = waiting.findIndex((turn) => turn.owner === owner);
      if (place >= 0) waiting.splice(place, 1)[0].fail(new Error("You stopped it before it began."));
      else if (current?.owner === owner) isUp ? end(problem.message) : settle(({ fail }) => fail(problem));
    },
  };
}
