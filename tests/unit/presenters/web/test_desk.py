import json

from acp_elicitation.presenters.web.desk import Desk
from acp_elicitation.text.html import Html, element
from acp_elicitation.text.language import use_language
from tests.posting import read_page
from tests.web_client import found


async def latest(desk: Desk) -> object:
    """The latest change that the tabs get."""
    async for block in desk.events.stream(desk.events.number - 1):
        if block.startswith(b"id"):
            return json.loads(block.split(b"data: ")[1])
    raise AssertionError


async def test_a_page_has_its_regions_in_order_as_they_are_now() -> None:
    desk = Desk(title="A & B", prefix="/ask")
    words = ["one"]
    desk.add_region("first", lambda: element("p", {}, words[0]))
    desk.add_region("second", Html, role="log")
    words[0] = "two <"
    page = desk.page()
    assert [node.attributes["id"] for node in read_page(page).css("main > section")] == [
        "first",
        "second",
    ]
    assert found(page, "#first").text() == "two <"
    assert found(page, "#second").attributes["role"] == "log"
    assert found(page, "title").text() == "A & B"
    assert desk.base == f"/ask/{desk.secret}"
    assert f'src="{desk.base}/static/page.js"' in desk.page()


async def test_a_page_can_be_drawn_with_another_region() -> None:
    desk = Desk()
    desk.add_region("first", lambda: Html("one"))
    assert found(desk.page({"first": Html("two")}), "#first").text() == "two"
    assert found(desk.page(), "#first").text() == "one"


async def test_a_changed_region_is_told_to_all_tabs() -> None:
    desk = Desk()
    desk.add_region("first", lambda: Html("<p>1</p>"))
    desk.add_region("second", lambda: Html("2"))
    desk.changed("first")
    assert await latest(desk) == {"replace": {"first": "<p>1</p>"}, "append": {}, "remove": []}
    desk.changed("first", "second")
    assert 'data-after="2"' in desk.page()


async def test_a_tab_without_any_past_gets_all_regions() -> None:
    desk = Desk()
    desk.add_region("first", lambda: Html("1"))
    desk.add_region("second", lambda: Html("2"))
    desk.changed("first")
    async for block in desk.events.stream(None):
        if block.startswith(b"id"):
            assert b'"replace":{"first":"1","second":"2"}' in block
            break


async def test_a_page_beside_hears_of_nothing() -> None:
    desk = Desk()
    desk.add_region("first", lambda: Html("one"))
    page = desk.page_beside(element("p", {}, "alone"))
    assert found(page, "main").text() == "alone"
    assert "data-live" not in found(page, "body").attributes


async def test_whoever_runs_no_scripts_is_told_how_to_see_what_is_new() -> None:
    desk = Desk()
    told = desk.look_again()
    assert told.startswith("<noscript>")
    assert found(told, "a").attributes["href"] == f"{desk.base}/"


async def test_a_page_names_the_language_that_it_speaks() -> None:
    desk = Desk()
    assert found(desk.page(), "html").attributes["lang"] == "en"
    use_language("zh-CN")
    try:
        assert found(desk.page(), "html").attributes["lang"] == "zh-CN"
        beside = desk.page_beside(Html())
        assert found(beside, "html").attributes["lang"] == "zh-CN"
    finally:
        use_language("en")


def test_no_two_pages_share_a_secret() -> None:
    one, other = Desk(), Desk()
    assert len({one.secret, other.secret, one.token, other.token}) == 4
    assert one.token not in one.base
