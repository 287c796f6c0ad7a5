// The page of search results. Sphinx finds pages; this orders them, and looks into each for
// the section that speaks of the words. A page comes first for the names in its title for
// search engines and for the words of its headings, and pages of the API come last.
{
  // Such titles by page, and the pages that are chapters.
  const { titles, chapters } = JSON.parse(document.currentScript.dataset.about);
  const GREEK = "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi omicron pi rho sigma tau upsilon phi chi psi omega".split(" ");
  const LETTERS = [..."αβγδεζηθικλμνξοπρστυφχψω"];
  const SIGNS = { cdot: "·", times: "×", le: "≤", leq: "≤", ge: "≥", geq: "≥", approx: "≈", infty: "∞", pm: "±", to: "→", ldots: "…", dots: "…", cdots: "…", lfloor: "⌊", rfloor: "⌋", in: "∈", ne: "≠", sum: "Σ", sqrt: "√", top: "ᵀ", quad: " ", left: "", right: "", bigl: "", bigr: "" };
  const LONGEST = 240; // letters of a quotation
  const MOST = 3; // sections of a page

  const ASKING = new Set("a an and are be by can do does for from how i if in is it its like look may me my not of on one or should so than that the then there this to versus vs what when which why will with".split(" "));

  const words = (text) => splitQuery(text.toLowerCase());
  // What a question is about: "why 10000" is about a number.
  const telling = (asked) => {
    const left = asked.filter((word) => word.length > 1 && !ASKING.has(word));
    return left.length ? left : asked;
  };
  const stemmer = new Stemmer(), stems = new Map();
  const stem = (word) => {
    if (!stems.has(word)) stems.set(word, stemmer.stemWord(word));
    return stems.get(word);
  };
  // Other forms of a word, and longer words that begin with it, count as the word.
  const same = (one, word) =>
    one === word || (word.length > 2 && (one.startsWith(word) || stem(one) === stem(word)));
  const has = (list, word) => list.some((one) => same(one, word));
  // Two words or more side by side in a text, such as "M-RoPE".
  const together = (list, asked) =>
    asked.length > 1 && list.some((_, at) => asked.every((word, i) => at + i < list.length && same(list[at + i], word)));
  const spelled = (text) => text.replace(/[α-ω]/gi, (letter) => ` ${GREEK[LETTERS.indexOf(letter.toLowerCase().replace("ς", "σ"))] ?? letter} `);

  // A formula as a reader would say it, or three dots.
  function said(tex) {
    const plain = tex
      .replace(/\\(?:class\{[^}]*\}|query|key|val|pos|text|mathrm|mathbf|operatorname|tfrac|dfrac)\b/g, "")
      .replace(/\\([A-Za-z]+)/g, (whole, name) => LETTERS[GREEK.indexOf(name.toLowerCase().replace("var", ""))] ?? SIGNS[name] ?? (/^(sin|cos|exp|log|max|min)$/.test(name) ? name : whole))
      .replace(/\\[,;:!()[\]{} ]/g, (sign) => (sign[1] === "{" || sign[1] === "}" ? sign[1] : " "))
      .replace(/[{}]/g, "");
    return /\\|[_^].{3}|&/.test(plain) || plain.length > 40 ? "…" : plain.replace(/[_^]/g, "").trim();
  }

  // Sections of a page: their own prose, without that of sections inside.
  function sections(html) {
    const main = new DOMParser().parseFromString(html, "text/html").querySelector('[role="main"]');
    if (!main) return [];
    for (const part of main.querySelectorAll("script, style, noscript, .headerlink, .eqno, .cell, .highlight, .pe-ways, .pe-report")) part.remove();
    for (const formula of main.querySelectorAll(".math")) formula.textContent = said(formula.textContent);
    return [...main.querySelectorAll("section[id]")].map((section) => {
      const own = section.cloneNode(true);
      for (const inner of own.querySelectorAll("section")) inner.remove();
      const heading = own.querySelector("h1, h2, h3, h4, h5");
      const name = heading?.textContent.trim() ?? "";
      const isTop = heading?.localName === "h1";
      heading?.remove();
      return { id: section.id, name, isTop, text: own.textContent.replace(/\s+/g, " ").trim() };
    });
  }

  // How much a section has of what was asked: words in its name count most.
  function worth({ name, text }, asked) {
    const title = words(name), body = words(text);
    const about = telling(asked);
    const sum = about.reduce((sum, word) => {
      const times = body.filter((one) => same(one, word)).length;
      return sum + 100 * has(title, word) + 50 * Boolean(times) + Math.min(times, 20);
    }, 0);
    return sum && sum + 100 * together(title, asked) + 50 * together(body, asked);
  }

  function snippet(text, asked) {
    const lower = text.toLowerCase();
    const places = telling(asked).map((word) => lower.indexOf(word)).filter((place) => place >= 0);
    const at = places.length ? Math.max(0, Math.min(...places) - 80) : 0;
    const start = at ? text.indexOf(" ", at) + 1 : 0;
    const cut = text.slice(start, start + LONGEST);
    const end = start + LONGEST < text.length ? `${cut.slice(0, cut.lastIndexOf(" "))} …` : cut;
    return (start ? "… " : "") + end;
  }

  // By page, the largest part of the words that one heading has.
  function headed(asked) {
    const most = new Map();
    for (const [heading, places] of Object.entries(Search._index.alltitles)) {
      const named = words(heading);
      const part = asked.filter((word) => has(named, word)).length / asked.length;
      for (const [page] of part ? places : []) {
        const name = Search._index.docnames[page];
        most.set(name, Math.max(part, most.get(name) ?? 0));
      }
    }
    return most;
  }

  const isReference = (page) => page.startsWith("book/api") || !page.startsWith("book/");
  const title = (page) => words(titles[page] ?? Search._index.titles[Search._index.docnames.indexOf(page)]);

  // Larger comes first. A word in the titles of many pages says little about one of them.
  function rank(page, score, asked, part) {
    if (isReference(page)) return score - 100;
    const named = title(page);
    const all = Search._index.docnames.filter((other) => !isReference(other)).map(title);
    const own = asked
      .filter((word) => has(named, word))
      .reduce((sum, word) => sum + 1 / all.filter((other) => has(other, word)).length, 0);
    return 1000 * own + 1500 * together(named, asked) + 1500 * part ** 2 + 100 * chapters.includes(page) + score;
  }

  function make(name, set, ...inside) {
    const made = Object.assign(document.createElement(name), set);
    made.append(...inside);
    return made;
  }

  // What Sphinx found, by page: it gives [page, title, anchor, description, score].
  function grouped(found, asked) {
    const groups = new Map();
    for (const [page, title, anchor, about, score] of found) {
      if (!groups.has(page)) groups.set(page, { page, best: 0, hits: [] });
      const group = groups.get(page);
      group.best = Math.max(group.best, score);
      if (anchor) group.hits.push({ anchor, about, score, title: title.split(" > ").at(-1) });
    }
    // A page may never say the name that people know it by.
    for (const [page, title] of Object.entries(titles)) {
      const named = words(title);
      if (!groups.has(page) && asked.length && asked.every((word) => has(named, word)))
        groups.set(page, { page, best: 0, hits: [] });
    }
    const about = telling(asked), parts = headed(about);
    for (const group of groups.values())
      group.rank = rank(group.page, group.best, about, parts.get(group.page) ?? 0);
    return [...groups.values()].sort((a, b) => b.rank - a.rank);
  }

  const line = (address, title, text) => {
    const item = make("li", {}, make("a", { href: address, innerHTML: title }));
    if (text) item.append(make("p", { className: "context" }, text));
    return item;
  };

  // The sections of a page that say most, in place of titles and names alone; the page's
  // beginning, if it is known by words that it does not use.
  async function quote(list, address, hits, asked) {
    const named = hits.filter(({ about }) => about);
    const html = await (await fetch(address)).text();
    const all = sections(html);
    const best = all
      .map((section) => [worth(section, asked), section])
      .filter(([value]) => value)
      .sort(([a], [b]) => b - a)
      .slice(0, MOST);
    if (!best.length && !hits.length) best.push(...all.slice(0, 1).map((section) => [0, section]));
    if (!best.length) return;
    list.replaceChildren(...best.map(([, { id, name, text }]) => {
      const item = line(`${address}#${id}`, "", snippet(text, asked));
      item.firstChild.textContent = name;
      return item;
    }), ...named.slice(0, MOST).map((hit) => line(address + hit.anchor, hit.title, hit.about)));
  }

  Search.query = async (query) => {
    const place = document.getElementById("search-results");
    place.ariaBusy = "true"; // until all is quoted
    const text = spelled(query).trim();
    const asked = words(text);
    const [, ...terms] = Search._parseQuery(text);
    const groups = grouped(Search._performSearch(text, ...terms), asked);
    const work = groups.map(({ page, hits }) => {
      const address = document.documentElement.dataset.content_root + page + DOCUMENTATION_OPTIONS.LINK_SUFFIX;
      const title = Search._index.titles[Search._index.docnames.indexOf(page)];
      const ordered = hits.sort((a, b) => b.score - a.score);
      const list = make("ul", {}, ...ordered.slice(0, MOST).map((hit) => line(address + hit.anchor, hit.title, hit.about)));
      Search.output.append(make("li", {}, make("a", { href: address, innerHTML: title }), list));
      return () => quote(list, address, hits, asked);
    });
    Search.stopPulse();
    Search.title.innerText = "Search results";
    Search.status.innerText = groups.length
      ? `Found on ${groups.length} ${groups.length === 1 ? "page" : "pages"}.`
      : "Nothing was found. Is each word spelled as in the book?";
    if (DOCUMENTATION_OPTIONS.SHOW_SEARCH_SUMMARY) for (const step of work) await step();
    place.ariaBusy = "false";
  };
}
