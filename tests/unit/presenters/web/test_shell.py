"""The page around the questions, and the files that it loads."""

import pytest

from acp_elicitation.presenters.web.shell import STATIC_FILES, read_static, render_page
from acp_elicitation.text.html import escape
from tests.posting import read_page
from tests.unit.presenters.web.asked import HOSTILE


def test_a_page_has_landmarks_a_language_and_a_way_past_its_head() -> None:
    page = read_page(
        render_page("Ada", escape("main"), base="/b", language="zh-CN", aside=escape("beside"))
    )
    root = page.root
    assert root is not None
    assert root.attributes["lang"] == "zh-CN"
    assert [page.css(name)[0].text() for name in ("main", "aside", "h1")] == [
        "main",
        "beside",
        "Ada",
    ]
    assert [link.attributes["href"] for link in page.css("a")] == ["#main"]
    assert len(page.css("[role=status]#news")) == 1


@pytest.mark.parametrize("text", HOSTILE)
def test_the_title_is_text(text: str) -> None:
    page = read_page(render_page(text, escape(""), base="/b"))
    assert (len(page.css("title")), len(page.css("script"))) == (1, 1)
    assert page.css("h1")[0].text() == page.css("title")[0].text() == escape_back(text)


def escape_back(text: str) -> str:
    node = read_page(f"<p>{escape(text)}</p>").css_first("p")
    assert node is not None
    return node.text()


def test_a_page_loads_only_its_own_files_and_holds_no_style_script_or_handler() -> None:
    page = read_page(render_page("Ada", escape(""), base="/b"))
    loaded = [node.attributes["href"] for node in page.css("link")]
    loaded += [node.attributes["src"] for node in page.css("[src]")]
    assert sorted(str(path) for path in loaded) == [f"/b/static/{name}" for name in STATIC_FILES]
    assert page.css("style, [style], script:not([src]), [onload], [onclick]") == []
    assert all(not script.text() for script in page.css("script"))


def test_a_page_is_live_only_where_something_new_can_come() -> None:
    assert read_page(render_page("x", escape(""), base="/b")).css("[data-live]") != []
    still = read_page(render_page("x", escape(""), base="/b", live=False))
    assert still.css("[data-live], #lost, [http-equiv=refresh]") == []


@pytest.mark.parametrize("name", STATIC_FILES)
def test_the_files_are_part_of_the_package_and_load_nothing_from_elsewhere(name: str) -> None:
    text = read_static(name).decode()
    assert len(text) > 100
    for elsewhere in ("@import", "url(", "eval(", "importScripts", "//cdn", "https://"):
        assert elsewhere not in text


def test_no_other_file_can_be_read() -> None:
    for name in ("../shell.py", "/etc/passwd", "", "page.js/../shell.py"):
        with pytest.raises(KeyError):
            read_static(name)
