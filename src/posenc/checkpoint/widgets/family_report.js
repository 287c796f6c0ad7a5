// The report on a family of models, or on a config of another method that was pasted.
import { element, KEYS } from "../../kit/widgets/kit.js";

const LOOK = "white-space: pre-wrap; overflow-wrap: anywhere; max-height: 24rem; overflow: auto";

/** `reports`: what Python says of each family when all its keys are absent. */
export function familyReport(reports) {
  const text = element("pre", { style: LOOK, tabindex: 0, role: "region", "aria-label": "report",
    hidden: "", ...KEYS });
  const names = Object.keys(reports);
  const options = ["", ...names].map((name) =>
    element("option", { value: name }, name || "choose one"));
  const select = element("select", KEYS, ...options);
  const label = element("label", {},
    element("span", {}, "a family's defaults"), select);
  let pasted = "";
  function show(words) {
    text.textContent = words;
    text.hidden = !words;
  }
  select.addEventListener("change", () => show(reports[select.value] ?? pasted));
  function refresh({ report = "" }) {
    if (report === pasted) return;
    pasted = report;
    select.value = "";
    show(report);
  }
  return { node: element("div", {}, element("div", { class: "pe-control" }, label), text), refresh };
}
