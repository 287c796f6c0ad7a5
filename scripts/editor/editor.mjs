// The editor of the pages: made into one file by `scripts/vendor_editor.py`.
import { acceptCompletion, autocompletion, closeBrackets, closeBracketsKeymap, completeFromList, completionKeymap } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import { bracketMatching, HighlightStyle, indentOnInput, indentUnit, syntaxHighlighting } from "@codemirror/language";
import { python, pythonLanguage } from "@codemirror/lang-python";
import { EditorState } from "@codemirror/state";
import { drawSelection, EditorView, highlightActiveLine, highlightSpecialChars, keymap, lineNumbers } from "@codemirror/view";
import { tags as t } from "@lezer/highlight";

const colors = HighlightStyle.define([
  { tag: [t.keyword, t.operatorKeyword, t.controlKeyword, t.definitionKeyword], class: "pe-code-keyword" },
  { tag: [t.string, t.special(t.string)], class: "pe-code-string" },
  { tag: [t.number, t.bool, t.null], class: "pe-code-number" },
  { tag: t.comment, class: "pe-code-comment" },
]);

// What may follow a dot: Python knows. `complete(path)` gives [name, kind] pairs or null,
// `describe(path)` says what one of them is.
function afterDot(complete, describe) {
  return async (context) => {
    const found = context.matchBefore(/[A-Za-z_][\w.]*\.\w*$/);
    if (!found) return null;
    const [, path] = found.text.match(/^(.*)\.\w*$/);
    const names = (await complete(path))?.found;
    if (!names?.length || context.aborted) return null;
    const info = async ({ label }) => {
      const text = (await describe(`${path}.${label}`))?.found;
      return text ? Object.assign(document.createElement("div"), { textContent: text }) : null;
    };
    const options = names.map(([label, type]) => ({ label, type, info }));
    return { from: found.from + path.length + 1, options, validFor: /^\w*$/ };
  };
}

// `changed(text)` after each change; `check()` on Ctrl+Enter. Escape, then Tab leaves.
export default function edit(place, { code, label, changed, check, names, complete, describe }) {
  let quiet = false;
  const known = completeFromList(names.map((name) => ({ label: name, type: "namespace" })));
  const complements = [afterDot(complete, describe), known].map((source) => pythonLanguage.data.of({ autocomplete: source }));
  const view = new EditorView({
    parent: place,
    state: EditorState.create({
      doc: code,
      extensions: [
        keymap.of([{ key: "Mod-Enter", run: () => (check(), true) }, { key: "Tab", run: acceptCompletion }]),
        lineNumbers(), highlightSpecialChars(), history(), drawSelection(), indentUnit.of("    "),
        EditorState.tabSize.of(4), indentOnInput(), bracketMatching(), closeBrackets(),
        autocompletion(), highlightActiveLine(), syntaxHighlighting(colors), python(), complements,
        EditorView.lineWrapping,
        keymap.of([...closeBracketsKeymap, ...completionKeymap, ...defaultKeymap, ...historyKeymap, indentWithTab]),
        EditorView.contentAttributes.of({ "aria-label": label, "aria-multiline": "true", spellcheck: "false" }),
        EditorView.updateListener.of((update) => {
          if (update.docChanged && !quiet) changed(update.state.doc.toString());
        }),
      ],
    }),
  });
  return {
    focus: () => view.focus(),
    text: () => view.state.doc.toString(),
    replace(text) {
      quiet = true;
      view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text } });
      quiet = false;
    },
    remove: () => view.destroy(),
  };
}
