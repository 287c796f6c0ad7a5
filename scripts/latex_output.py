"""Layout of the printed book: what Sphinx writes when it makes LaTeX of it."""

import re
import tomllib
from datetime import date
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx import addnodes
from sphinx.transforms.post_transforms import SphinxPostTransform
from sphinx_exercise.nodes import is_exercise_node, is_solution_node
from sphinx_proof.nodes import proof_node

from posenc import __version__
from posenc.kit.figures.palette import THEMES

#: Runs after sphinx-jupyterbook-latex, whose settings need fonts that are rare.
LAST = 900


def colors() -> str:
    """Return LaTeX for the palette's colors on a light page, and for colored words."""
    defined = "".join(
        f"\\definecolor{{pe-{name}}}{{HTML}}{{{value[1:].upper()}}}\n"
        f"\\expandafter\\def\\csname DUrolepe-{name}\\endcsname#1"
        f"{{\\textcolor{{pe-{name}}}{{\\textbf{{#1}}}}}}\n"
        for name, value in THEMES["light"].items()
    )
    return f"\\usepackage{{xcolor}}\n{defined}"


def macros(mathjax: dict[str, Any]) -> str:
    """Return LaTeX for the macros that formulas use, from MathJax's settings."""
    return "".join(
        f"\\newcommand{{\\{name}}}[{count}]{{{meaning}}}\n"
        for name, (meaning, count) in mathjax["tex"]["macros"].items()
    )


#: File with the date of the book's version.
PROJECT = Path(__file__).parent.parent / "pyproject.toml"


def edition(version: str, day: date, addresses: list[str]) -> str:
    r"""Return the title page's lines: the edition, its date, and its address.

    Parameters
    ----------
    version : str
        Of the book.
    day : date
        From which it has that version.
    addresses : list of str
        Of the site and of the repository; empty ones are left out.
    """
    lines = [f"Edition {version}, {day:%B} {day.day}, {day.year}"]
    lines += [rf"\url{{{address}}}" for address in addresses if address]
    return r"\\".join(lines)


def set_up_latex(app: Any, config: Any) -> None:
    """Give the printed book its own look."""
    day = tomllib.loads(PROJECT.read_text("utf-8"))["tool"]["posenc"]["released"]
    addresses = [config.html_baseurl, config.book_repository["url"]]
    config.latex_theme = "manual"
    config.latex_use_xindy = False
    config.latex_domain_indices = False
    config.jblatex_show_tocs = False
    config.today = edition(__version__, day, addresses) + rf"\\{config.copyright}"
    config.latex_elements = {
        "papersize": "a4paper",
        "figure_align": "H",  # where it is spoken of
        "fvset": "",
        "extraclassoptions": "openany,oneside",
        "fncychap": "",
        "sphinxsetup": "verbatimforcewraps=true,vmargin=2.2cm",
        "preamble": colors()
        + (Path(__file__).parent / "preamble.tex").read_text("utf-8")
        + macros(config.mathjax3_config),
        "makeindex": "",
        "printindex": "",  # an index of names of code, which few look for on paper
    }


class WithoutMap(SphinxPostTransform):
    """Leave out the map of the title page: the contents stand before it."""

    default_priority = 650  # before sphinx-jupyterbook-latex dissolves the sections
    builders = ("latex",)

    def run(self, **_: Any) -> None:
        """Drop the section."""
        for section in list(self.document.findall(nodes.section)):
            if "map-of-the-book" in section["ids"]:
                section.parent.remove(section)


class Print(SphinxPostTransform):
    """Rearrange the assembled book for paper, where tools do it badly or not at all."""

    default_priority = 750  # the parts have been made, and references resolved
    builders = ("latex",)

    def run(self, **_: Any) -> None:
        """Change the tree of the whole book."""
        for proof in list(self.document.findall(proof_node)):
            proof.replace_self(plain_proof(proof))
        for table in list(self.document.findall(nodes.table)):
            share_width(table)
            break_names(table)
        for page in self.document.findall(nodes.section):
            if "docname" in page:
                name_as_printed(page)
        for part in list(self.document.findall(is_part)):
            start = next(part.findall(addnodes.start_of_file))
            numbered = bool(self.env.toc_secnumbers.get(start["docname"]))
            command = r"\withnumbers" if numbered else r"\withoutnumbers"
            part.insert(0, latex(command + "\n"))
        for file in list(self.document.findall(addnodes.start_of_file)):
            if file["docname"].startswith("book/api"):
                file.insert(0, latex(r"\begin{reference}"))
                file.append(latex(r"\end{reference}"))
        self.document.append(solutions(self.document, self.env))


def latex(command: str) -> nodes.raw:
    """Write LaTeX unchanged."""
    return nodes.raw("", command, format="latex")


def name_as_printed(page: nodes.section) -> None:
    """Make sphinx-proof find a page whose title has an apostrophe, printed as ’."""
    titles = [child for child in page if isinstance(child, nodes.title)]
    page["names"] += [title.astext().lower() for title in titles]


def solutions(document: nodes.Element, env: Any) -> nodes.Element:
    """Take all solutions out of their chapters, and make a part of them."""
    part = nodes.section("", nodes.title("", "Solutions"))
    exercises = {node["label"]: node for node in document.findall(is_exercise_node)}
    for file in list(document.findall(addnodes.start_of_file)):
        name, answers = file["docname"], list(file.findall(is_solution_node))
        if name not in env.titles or not answers:  # a part holds those of its chapters
            continue
        number = env.toc_secnumbers.get(name, {}).get("")
        label = ".".join(map(str, number)) + "\u2002" if number else ""
        chapter = nodes.section("", nodes.title("", label + env.titles[name].astext()))
        for solution in answers:
            solution.parent.remove(solution)
            chapter += solved(solution, name, exercises)
        part += addnodes.start_of_file("", chapter, docname=name)
    commands = latex("\\solutions\\withoutnumbers\n")
    return addnodes.start_of_file("", commands, part, docname="solutions")


def solved(
    solution: nodes.Element, docname: str, exercises: dict[str, nodes.Element]
) -> list[nodes.Node]:
    """Return a solution's content below its exercise's title; link the two."""
    _, *content = solution.children
    exercise = exercises[solution["target_label"]]
    here = f"{docname}:{solution['label']}"
    there = f"{here}-asked"
    name = exercise[0].deepcopy().children
    exercise[0] += latex(rf"\solutionlink{{{here}}}{{{there}}}")
    start = latex(rf"\solutionhead{{{here}}}{{{there}}}{{")
    return [nodes.paragraph("", "", start, *name, latex("}")), *content]


def is_part(node: nodes.Node) -> bool:
    """Return True if a node is a part of the book in the table of contents."""
    file = node.parent
    return (
        isinstance(node, nodes.section)
        and isinstance(file, addnodes.start_of_file)
        and file["docname"] == node.get("docname")
    )


def plain_proof(proof: nodes.Element) -> nodes.container:
    """Return a proof without the box around it, whose title would be empty."""
    (box,) = proof.children
    title = box.next_node(nodes.Text)
    rest = nodes.Text(title.removeprefix("Proof."))
    title.parent.replace(title, [nodes.emphasis("", "Proof."), rest])
    return nodes.container("", *box.children)


#: Letters on a line of text, and on one of the small print of tables with many columns.
LINE, SMALL_LINE = 80, 105
#: Columns from which on a table is in small print.
MANY = 4


def share_width(table: nodes.table) -> None:
    """Give each column of a wide table its share, and let long tables go over pages."""
    columns = list(table.findall(nodes.colspec))
    rows = list(table.findall(nodes.row))
    texts = [[row[i].astext() for row in rows] for i in range(len(columns))]
    line = SMALL_LINE if len(columns) >= MANY else LINE
    if sum(max(map(len, column)) for column in texts) > line - 3 * len(columns):
        shares = column_shares(texts, line)
        for column, share in zip(columns, shares, strict=True):
            column["colwidth"] = share
        table["classes"].append("colwidths-given")
    if len(rows) > 6:
        table["classes"].append("longtable")
    if len(columns) >= MANY:
        at = table.parent.index(table)
        small, end = (
            latex(f"\n{command}\n")
            for command in (r"\begingroup\footnotesize", r"\endgroup")
        )
        table.parent[at : at + 1] = [small, table, end]


#: Places where a long name of code may be broken.
JOINTS = re.compile(r"(?<=_)(?=\w)|(?<=\w-)(?=\w)|(?<=[a-z0-9])(?=[A-Z])|(?<=\()")


def break_names(table: nodes.table) -> None:
    """Allow line breaks in names that are longer than a narrow column."""
    for literal in list(table.findall(nodes.literal)):
        parts: list[nodes.Node] = []
        for part in JOINTS.split(literal.astext()):
            parts += [
                nodes.literal("", part, **literal.attributes),
                latex(r"\allowbreak{}"),
            ]
        literal.replace_self(parts[:-1])


def column_shares(texts: list[list[str]], line: int) -> list[int]:
    """Return letters for each column: enough for its words, the rest by content."""
    words = [
        max(
            len(part)
            for text in [*column, "a"]
            for w in text.split()
            for part in JOINTS.split(w)
        )
        for column in texts
    ]
    least = [min(round(1.3 * word) + 3, line // 2) for word in words]
    while sum(least) > line:  # short columns have nothing to lose
        least[least.index(max(least))] -= 1
    most = [min(max(map(len, column)), line) for column in texts]
    spare = line - sum(least)
    wish = [max(m - n, 0) for m, n in zip(most, least, strict=True)]
    total = max(sum(wish), 1)
    return [n + spare * w // total for n, w in zip(least, wish, strict=True)]


def number_by_chapter(app: Any, *_: Any) -> None:
    """Make theorems and exercises count by chapter, as on the site, before reading."""
    app.config.numfig_secnum_depth = 1


def print_by_chapter(app: Any, *_: Any) -> None:
    """Make figures count by chapter: LaTeX's first level is the part."""
    app.config.numfig_secnum_depth = 2


def setup(app: Any) -> None:
    """Register with Sphinx."""
    app.connect("config-inited", set_up_latex, priority=LAST)
    app.connect("builder-inited", number_by_chapter, priority=LAST)
    app.connect("env-check-consistency", print_by_chapter)
    app.add_post_transform(WithoutMap)
    app.add_post_transform(Print)
