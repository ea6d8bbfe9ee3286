"""Addresses as they are drawn: exact, and with the owner's part standing out."""

import pytest
from textual.content import Content

from acp_elicitation.links import inspect_link
from acp_elicitation.presenters.tui.address import draw_address, draw_host


def marked(content: Content) -> list[str]:
    """The parts that stand out."""
    return [content.plain[span.start : span.end] for span in content.spans]


@pytest.mark.parametrize(
    ("url", "owned"),
    [
        ("https://accounts.example.co.uk:8443/a?b=example.co.uk", "example.co.uk"),
        ("https://Example.com/", "Example.com"),
        ("https://xn--mnchen-3ya.de/x", "xn--mnchen-3ya.de"),
        ("https://shop.münchen.de/x", "münchen.de"),
        ("http://127.0.0.1:88/", "127.0.0.1"),
        ("https://[::1]/x", "[::1]"),
        ("http://localhost/", "localhost"),
    ],
)
@pytest.mark.requirement("UI-5", "URL-10")
def test_an_address_is_drawn_as_it_is_with_its_owner_marked(url: str, owned: str) -> None:
    drawn = draw_address(inspect_link(url))
    assert drawn.plain == url
    assert marked(drawn) == [owned]
    assert drawn.spans[0].style == "bold underline"


@pytest.mark.requirement("FORM-8")
def test_what_looks_like_markup_in_an_address_is_a_part_of_it() -> None:
    url = "https://example.com/[bold]x[/bold]?[link=https://evil.example]"
    assert draw_address(inspect_link(url)).plain == url


def test_a_host_has_its_registered_part_marked() -> None:
    assert marked(draw_host("www.example.com", "example.com")) == ["example.com"]
    assert marked(draw_host("127.0.0.1", None)) == ["127.0.0.1"]
    assert draw_host("www.example.com", "example.com").plain == "www.example.com"
