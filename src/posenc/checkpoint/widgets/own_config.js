// A place for a config of the reader's own.
import { element, KEYS } from "../../kit/widgets/kit.js";

/** Where a config of the reader's own is pasted; on a page without Python, what to do there. */
export function ownConfig(model) {
  if (!model.get("live"))
    return { node: element("p", { class: "pe-note" }, "A config of your own needs Python: change " +
      "the cell under “Read a config” and run it there, or run this notebook."), refresh() {} };
  const area = element("textarea", { rows: 4, spellcheck: "false", style: "width: 100%", ...KEYS });
  const button = element("button", { type: "button", ...KEYS }, "read it");
  button.addEventListener("click", () => {
    model.set("text", area.value); model.save_changes();
  });
  const label = element("label", {}, element("span", {}, "a config.json of your own"), area);
  const node = element("div", { class: "pe-control" }, label, button);
  return { node, refresh() { if (!model.get("text")) area.value = ""; } };
}
