"""The page of a report that draws a sheet of panels: the design of kolmo-report, with the list of the report
first and each panel as a figure of its own, to which the rows of the list lead."""
import html

from kolmo.guarded import writable
from report_page import Page


def capital(words):
    """A sentence of words; a letter that is a quantity stays as it is."""
    return (words[:1].upper() if words[1:2].isalpha() else words[:1]) + words[1:] + "."


def write(path, title, lists, pictures, notes=()):
    """Writes the page. lists: (heading, what is said first, whether that is a failure, head, rows, marks,
    names of the pictures that the rows lead to); marks: a class for each row, or None. notes: sentences below
    the lists."""
    page, title = Page(None, None), title.replace(r"\$", "$")  # as a figure wants it
    page.put(f"<h1>{html.escape(title)}</h1><!--nav-->")
    for heading, first, bad, head, rows, marks, links in lists:
        page.heading(heading)
        page.words(first, "sum fail" if bad else "sum")
        if rows:
            page.table(head, rows, marks, links)
    for note in notes:
        page.words(capital(note))
    page.heading("Figures")
    for name, words, data in pictures:
        page.picture(name, capital(words), data, "svg+xml")
    with open(writable(path), "w", encoding="utf-8") as file:
        file.write(page.text(title))
    print(f"page: {path}")
