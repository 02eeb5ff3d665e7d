"""A document of few kinds of blocks, as HTML and as Markdown.

In texts, `backticks` mark code and **asterisks** warnings.
"""

import html
import re
import typing

STYLE = """
:root { color-scheme: light dark; --ink: #222; --faint: #666; --line: #ddd; --paper: #fff; --warning: #b3261e }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e4e4e4; --faint: #a0a0a0; --line: #3a3a3a; --paper: #16181c; --warning: #ff8a80 }
}
body { font: 16px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper); max-width: 62rem;
  margin: 0 auto; padding: 1rem }
h1, h2 { line-height: 1.2 } h2 { margin-top: 2.5rem }
a { color: inherit } code { font-size: .9em } strong { color: var(--warning) }
nav ul { columns: 16rem; padding-left: 1.2rem }
figure { margin: 1rem 0; overflow-x: auto } figure svg { width: 100%; min-width: 34rem; height: auto }
.table { overflow-x: auto } table { border-collapse: collapse; font-size: .875rem; font-variant-numeric: tabular-nums }
th, td { padding: .15rem .6rem; border-bottom: 1px solid var(--line); text-align: right; white-space: nowrap }
th:first-child, td:first-child { text-align: left; padding-left: 0; white-space: pre-wrap; min-width: 9rem }
th { color: var(--faint); font-weight: 600 }
"""


class Heading(typing.NamedTuple):
    text: str

    @property
    def anchor(self):
        return re.sub(r"[^a-z0-9]+", "-", self.text.lower()).strip("-")

    def html(self):
        return f'<h2 id="{self.anchor}">{html.escape(self.text)}</h2>'

    def markdown(self):
        return f"## {self.text}"


class Paragraph(typing.NamedTuple):
    text: str

    def html(self):
        return f"<p>{inline(self.text)}</p>"

    def markdown(self):
        return self.text


class Table(typing.NamedTuple):
    head: list
    rows: list

    def html(self):
        rows = [self.row("th", self.head), *(self.row("td", row) for row in self.rows)]
        return '<div class="table"><table>\n' + "\n".join(rows) + "\n</table></div>"

    @staticmethod
    def row(kind, cells):
        return "<tr>" + "".join(f"<{kind}>{inline(cell)}</{kind}>" for cell in cells) + "</tr>"

    def markdown(self):
        alignment = ["---", *("---:" for _ in self.head[1:])]
        return "\n".join("| " + " | ".join(map(cell_text, row)) + " |" for row in [self.head, alignment, *self.rows])


class Plot(typing.NamedTuple):
    """An SVG, inline in HTML and a file of this name beside Markdown."""

    name: str
    description: str
    svg: str

    def html(self):
        label = html.escape(self.description, quote=True)
        return f'<figure role="img" aria-label="{label}">{self.svg}</figure>'

    def markdown(self):
        return f"![{self.description}]({self.name}.svg)"


def inline(text):
    text = re.sub(r"`([^`]+)`", r"<code>\1</code>", html.escape(text))
    return re.sub(r"\*\*([^*]+)\*\*", r"<strong>\1</strong>", text)


def cell_text(text):
    """Leading spaces would be lost, and a bar would end the cell."""
    indented = len(text) - len(text.lstrip(" "))
    return "&nbsp;" * indented + text.lstrip(" ").replace("|", "\\|").replace("$", "\\$")


def html_page(title, blocks):
    headings = [block for block in blocks if isinstance(block, Heading)]
    contents = "".join(f'<li><a href="#{block.anchor}">{html.escape(block.text)}</a></li>' for block in headings)
    body = "\n".join(block.html() for block in blocks)
    return (
        f'<!doctype html>\n<html lang="en">\n<meta charset="utf-8">\n<title>{html.escape(title)}</title>\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<style>{STYLE}</style>\n<h1>{html.escape(title)}</h1>\n<nav><ul>{contents}</ul></nav>\n{body}\n</html>\n"
    )


def markdown_page(title, blocks):
    return "\n\n".join([f"# {title}", *(block.markdown() for block in blocks)]) + "\n"
