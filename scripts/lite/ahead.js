// Begins to start Python while the page of a notebook loads. See start_ahead in
// build_lite.py: the first worker that JupyterLite makes for a kernel is this one.
{
  const Usual = window.Worker;
  let ahead = new Usual(new URL("ahead.mjs", document.currentScript.src), { type: "module" });
  window.Worker = function Worker(address, options) {
    if (!ahead || !`${address}`.includes("/comlink.worker.")) return new Usual(address, options);
    const worker = ahead;
    ahead = undefined;
    return worker;
  };
}
