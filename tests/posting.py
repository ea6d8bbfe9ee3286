"""What a browser posts of a page's forms, by the rules of the HTML standard.

Owns: reading a page as a browser does (with Lexbor), the values that its controls hold, and the
data that comes to the server. Knows nothing of: what the page is for, and of scripts.
Above it: the tests of the web pages. Below it: selectolax.
"""

import re
from urllib.parse import parse_qs, urlencode

from selectolax.lexbor import LexborHTMLParser, LexborNode

__all__ = ["chosen_in", "fill", "forms_in", "posted", "read_page"]

_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_LINE_END = re.compile("\r\n|\r|\n")


def read_page(markup: str) -> LexborHTMLParser:
    """Return the tree of a whole page, or of a piece of one put into a page."""
    if not markup.startswith("<!doctype"):
        markup = f"<!doctype html><html><body><div id=all>{markup}</div></body></html>"
    return LexborHTMLParser(markup.encode())


def forms_in(page: LexborHTMLParser) -> dict[str, LexborNode]:
    """Return the forms of a page by their ids."""
    return {str(form.attributes["id"]): form for form in page.css("form")}


def fill(page: LexborHTMLParser, name: str, *values: str) -> None:
    """Do to the controls called `name` what a user does: type the text, or choose the values."""
    for control in page.css(f'[name="{name}"]'):
        kind = control.attributes.get("type")
        if kind in ("radio", "checkbox"):
            if control.attributes.get("value", "") in values:
                control.attrs["checked"] = ""
            elif "checked" in control.attrs:
                del control.attrs["checked"]
        elif control.tag == "textarea":
            control.inner_html = ""
            control.insert_child(values[0])
        else:
            control.attrs["value"] = values[0]


def chosen_in(page: LexborHTMLParser, name: str) -> list[str]:
    """Return the values that are checked among the boxes called `name`."""
    boxes = page.css(f'[name="{name}"][checked]')
    return [str(box.attributes["value"] or "") for box in boxes]


def posted(
    page: LexborHTMLParser, form: str = "all", do: str | None = None
) -> dict[str, list[str]]:
    """Return what the server gets when the form is submitted, by its button `do` if any."""
    entries: list[tuple[str, str]] = []
    for control in page.css(f"#{form} input[name], #{form} textarea[name]"):
        attributes = control.attributes
        name, kind = str(attributes["name"]), attributes.get("type")
        value = attributes.get("value") or ""
        if control.tag == "textarea":
            value = _LINE_END.sub("\n", control.text())
        elif kind in ("radio", "checkbox"):
            if "checked" not in attributes:
                continue
            if kind == "radio":  # the last one that is checked is the one that stays so
                entries = [entry for entry in entries if entry[0] != name]
        elif kind == "date":
            value = value if _DATE.fullmatch(value) and value[:4] != "0000" else ""
        elif kind != "hidden":
            value = _LINE_END.sub("", value)
        entries.append((name, _LINE_END.sub("\r\n", value)))
    if do is not None:
        entries.append(("do", do))
    return parse_qs(urlencode(entries), keep_blank_values=True)
