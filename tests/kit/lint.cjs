// Reads [{path, text}, …], writes what ESLint says of each, and what it imports and exports.
const { Linter } = require("./vendor/eslint/linter.min.js");

const browser = [
  "addEventListener", "cancelAnimationFrame", "clearInterval", "clearTimeout", "console",
  "document", "fetch", "getComputedStyle", "indexedDB", "localStorage", "location",
  "matchMedia", "queueMicrotask", "requestAnimationFrame", "setInterval", "setTimeout",
  "window", "Blob", "CustomEvent", "Event", "IntersectionObserver", "MutationObserver", "Node",
  "ResizeObserver", "URL", "URLSearchParams", "confirm", "navigator", "performance", "postMessage",
  "history", "removeEventListener", "self", "structuredClone", "DecompressionStream", "Response", "Worker",
  "DOCUMENTATION_OPTIONS", // of Sphinx
];
const rules = [
  "constructor-super", "for-direction", "getter-return", "no-async-promise-executor",
  "no-class-assign", "no-compare-neg-zero", "no-cond-assign", "no-const-assign",
  "no-constant-condition", "no-dupe-args", "no-dupe-class-members", "no-dupe-else-if",
  "no-dupe-keys", "no-duplicate-case", "no-empty-pattern", "no-ex-assign", "no-fallthrough",
  "no-func-assign", "no-global-assign", "no-import-assign", "no-invalid-regexp",
  "no-loss-of-precision", "no-obj-calls", "no-redeclare", "no-self-assign", "no-setter-return",
  "no-shadow-restricted-names", "no-sparse-arrays", "no-this-before-super", "no-undef",
  "no-unreachable", "no-unsafe-finally", "no-unsafe-negation", "no-unused-labels",
  "no-useless-assignment", "no-var", "prefer-const", "use-isnan", "valid-typeof",
];

function look({ path, text }) {
  const imports = [], exports = [];
  const module = path.endsWith(".mjs") || /^(import|export)\b/m.test(text);
  const links = {
    create: () => ({
      ImportDeclaration(node) {
        for (const { imported } of node.specifiers)
          imports.push([node.source.value, imported?.name ?? "default"]);
      },
      ExportDefaultDeclaration() { exports.push("default"); },
      ExportNamedDeclaration({ declaration, specifiers }) {
        for (const { id } of declaration?.declarations ?? [declaration ?? {}])
          if (id) exports.push(id.name);
        for (const { exported } of specifiers) exports.push(exported.name);
      },
    }),
  };
  const unused = { vars: module ? "all" : "local", ignoreRestSiblings: true };
  const messages = new Linter().verify(text, {
    plugins: { own: { rules: { links } } },
    languageOptions: {
      ecmaVersion: 2022, sourceType: module ? "module" : "script",
      globals: Object.fromEntries(browser.map((name) => [name, "readonly"])),
    },
    linterOptions: { reportUnusedDisableDirectives: "error" },
    rules: {
      ...Object.fromEntries(rules.map((rule) => [rule, "error"])),
      "own/links": "error", "no-unused-vars": ["error", unused],
    },
  });
  const said = messages.map(({ line, message }) => `${path}:${line}: ${message}`);
  return { path, said, imports, exports };
}

const files = JSON.parse(require("node:fs").readFileSync(0, "utf-8"));
console.log(JSON.stringify(files.map(look)));
