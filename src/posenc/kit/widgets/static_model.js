// The static page's side of a widget: a model that lives in the page, without a kernel.
function mount(widget, id, state) {
  const place = document.getElementById(id);
  const listeners = {};
  const { name } = place.dataset;  // links lead to the second of a kind by a number
  const number = [...document.querySelectorAll(`[data-name="${name}"]`)].indexOf(place) + 1;
  const model = {
    pageName: name && (number > 1 ? `${name}-${number}` : name),
    get: (key) => state[key],
    set(key, value) {
      if (state[key] === value) return;
      state[key] = value;
      for (const listener of listeners["change:" + key] ?? []) listener();
    },
    on(name, listener) { (listeners[name] ??= []).push(listener); },
    save_changes() {},
  };
  const picture = [...place.childNodes];  // stays if rendering fails
  const el = document.createElement("div");
  place.append(el);
  place.addEventListener("pe-set", ({ detail }) => {
    for (const [key, value] of Object.entries(detail)) model.set(key, value);
  });
  widget.render({ model, el });
  picture.forEach((node) => node.remove());
}
