// Links that carry a widget's setting: `#TurnedPair?m=20&n=22` after its page's address.
import { element, KEYS } from "./controls.js";

/** Whether a control, by its kind, could have set a value. */
const OFFERS = {
  range: ({ values }, value) => values().includes(value),
  select: ({ options }, value) => options.some(([one]) => one === value),
  several: ({ options }, list) => // in their order, as boxes are
    `${list}` === `${options.map(([one]) => one).filter((one) => list.includes(one))}`,
  checkbox: (_, value) => typeof value === "boolean",
};

/**
 * Follows and makes such links. They give the traits that have a control, and those of
 * `rules`, further tests of values, by trait. A link is followed as a whole or, if one of its
 * values is refused, not at all. `read()` does it, and `button` copies the link to what is shown.
 */
export function address(model, el, { specs, rules, initial, say }) {
  const controls = specs.filter(({ kind }) => kind in OFFERS);
  // Rules last: a setting may take back what they test, such as a guess.
  const checks = [...controls.map((spec) => [spec.key, (value) => OFFERS[spec.kind](spec, value)]),
    ...Object.entries(rules)];
  const keys = [...new Set(checks.map(([key]) => key))];

  function take(query) {
    const before = keys.map((key) => model.get(key));
    const put = (values) => keys.forEach((key, i) => model.set(key, values[i]));
    try {
      const given = new URLSearchParams(query);
      put(keys.map((key, i) => (!given.has(key) ? before[i]
        : typeof before[i] === "string" ? given.get(key) : JSON.parse(given.get(key)))));
      if ([...given.keys()].every((key) => keys.includes(key)) &&
        checks.every(([key, check]) => check(model.get(key)))) return;
    } catch { /* a value of another type */ }
    put(before);
  }

  function read() {
    const [name, query] = location.hash.slice(1).split("?");
    if (name !== model.pageName) return;
    take(query);
    el.scrollIntoView();
  }

  function link() {
    const text = (value) => (typeof value === "string" ? value : JSON.stringify(value));
    const changed = keys.map((key) => [key, text(model.get(key))])
      .filter(([key, now]) => now !== text(initial[key]));
    return `#${model.pageName}${changed.length ? "?" : ""}${new URLSearchParams(changed)}`;
  }

  const words = (text) => { node.textContent = text; };
  const node = element("button", { type: "button", class: "pe-copy", ...KEYS });
  node.addEventListener("click", async () => {
    history.replaceState(null, "", link());
    const copied = await navigator.clipboard?.writeText(location.href)
      .then(() => true, () => false);
    words(copied ? "link copied" : "link: see the address bar");
    say(node.textContent);
  });
  return { read, button: { node, refresh: () => words("copy link") } };
}
