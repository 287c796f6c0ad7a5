// A text area for code, where the editor cannot be loaded: it indents, and undo works.

export default function area(place, { code, label, changed, check }) {
  const field = Object.assign(document.createElement("textarea"), { value: code, spellcheck: false });
  field.setAttribute("aria-label", label);
  field.setAttribute("autocapitalize", "off");
  place.append(field);
  const fit = () => (field.rows = field.value.split("\n").length + 1);
  let escaped = false; // Escape, then Tab leaves

  function insert(event, text) {
    event.preventDefault();
    document.execCommand("insertText", false, text); // can be undone
  }

  field.oninput = () => {
    changed(field.value);
    fit();
  };
  field.onkeydown = (event) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      check();
    } else if (event.key === "Tab" && !event.shiftKey && !escaped) insert(event, "    ");
    else if (event.key === "Enter") {
      const line = field.value.slice(0, field.selectionStart).split("\n").at(-1);
      insert(event, `\n${line.match(/^ */)[0]}${/:\s*$/.test(line) ? "    " : ""}`);
    }
    escaped = event.key === "Escape";
  };
  fit();
  return {
    focus: () => field.focus({ preventScroll: true }),
    text: () => field.value,
    replace(text) {
      field.value = text;
      fit();
    },
  };
}
