"""What the script adds to a page: counts, a search, drafts that are saved, news that come."""

import re
from collections.abc import AsyncIterator

import pytest
import pytest_asyncio
from playwright.async_api import expect

from acp_elicitation.client.prompts import FormPrompt, Prompt
from acp_elicitation.presenters.web.link import render_waiting
from acp_elicitation.presenters.web.question import render_question
from acp_elicitation.protocol.schema import (
    BooleanProperty,
    MultiSelectProperty,
    Option,
    SelectProperty,
    StringProperty,
)
from acp_elicitation.text.html import Html, element
from tests.browser.axe import grave_violations
from tests.browser.served import Served, served
from tests.browser.visit import Visit, visiting
from tests.unit.presenters.web.asked import ask, full_of, link_to, permit

_CITIES = tuple(Option(value=f"c{index}", title=f"City {index}") for index in range(40))


@pytest_asyncio.fixture(loop_scope="session")
async def server() -> AsyncIterator[Served]:
    async with served() as server:
        yield server


def drawn(prompt: Prompt, number: int = 1, *, show_problems: bool = False) -> Html:
    return render_question(prompt, action=f"/b/q/{number}", token="t", show_problems=show_problems)


def named(**options: bool) -> FormPrompt:
    return ask(
        required=("name",) if options.get("required") else (),
        name=StringProperty(title="Name", max_length=4),
        story=StringProperty(title="Story"),
    )


@pytest.mark.requirement("UI-2")
async def test_a_draft_is_saved_as_it_is_typed_with_the_token_and_never_as_an_answer(
    visit: Visit, server: Served
) -> None:
    page = await server.show(visit, drawn(named()))
    await page.get_by_label("Name").press_sequentially("ada")
    path, data = await server.next_post()
    assert path == "/b/q/1/draft"
    assert (data["question-f0"], data["token"]) == (["ada"], ["t"])
    assert "do" not in data


async def test_problems_are_told_at_what_was_touched_and_go_when_they_are_mended(
    visit: Visit, server: Served
) -> None:
    page = await server.show(visit, drawn(named()))
    server.problems = {"question-f0": ["Enter <i>more</i>."], "question-f1": ["Too short."]}
    await page.get_by_label("Name").fill("a")
    await page.get_by_label("Name").press("Tab")
    told = page.locator("#question-f0-problems p")
    await expect(told).to_have_text("Enter <i>more</i>.")
    await expect(page.get_by_label("Name")).to_have_attribute("aria-invalid", "true")
    await expect(page.locator("#question-f1-problems p")).to_have_count(0)
    server.problems = {}
    await page.get_by_label("Name").fill("ab")
    await expect(told).to_have_count(0)
    assert await page.get_by_label("Name").get_attribute("aria-invalid") is None


async def test_code_points_are_counted_and_nothing_is_cut_off(visit: Visit, server: Served) -> None:
    page = await server.show(visit, drawn(named()))
    count = page.locator("[data-count]")
    await expect(count).to_have_text("Characters: 0 of 4")
    await page.get_by_label("Name").fill("😀😀é漢字")
    await expect(count).to_have_text("Characters: 5 of 4")
    assert await page.get_by_label("Name").input_value() == "😀😀é漢字"


async def test_nothing_happens_while_an_input_method_composes(visit: Visit, server: Served) -> None:
    page = await server.show(visit, drawn(named()))
    await page.get_by_label("Name").focus()
    session = await visit.context.new_cdp_session(page)
    composed = {"text": "ni", "selectionStart": 2, "selectionEnd": 2}
    await session.send("Input.imeSetComposition", composed)
    count = page.locator("[data-count]")
    await expect(page.get_by_label("Name")).to_have_value("ni")
    await expect(count).to_have_text("Characters: 0 of 4")
    await session.send("Input.insertText", {"text": "你"})
    await expect(count).to_have_text("Characters: 1 of 4")
    assert (await server.next_post())[1]["question-f0"] == ["你"]
    assert server.posts.empty()


async def test_a_long_list_is_searched_and_keeps_what_is_chosen_in_view(
    visit: Visit, server: Served
) -> None:
    prompt = ask(a=MultiSelectProperty(title="Cities", options=_CITIES))
    page = await server.show(visit, drawn(prompt))
    await page.get_by_label("City 7").check()
    search = page.get_by_label("Search 40 choices")
    await search.press_sequentially("CITY 3")
    await expect(page.locator(".option:visible")).to_have_count(12)
    await expect(page.locator("[data-search] [role=status]")).to_have_text("11 of 40 match")
    await expect(page.get_by_label("City 7")).to_be_checked()
    await search.press("Enter")
    await search.fill("")
    await expect(page.locator(".option:visible")).to_have_count(40)
    await expect(page.locator("#done")).to_have_count(0)


async def test_typing_a_text_of_ones_own_chooses_it_and_an_option_sends_none(
    visit: Visit, server: Served
) -> None:
    prompt = ask(a=SelectProperty(title="Where?", options=_CITIES[:3]), a_other=StringProperty())
    page = await server.show(visit, drawn(prompt))
    await page.locator("#question-f1").fill("Ulm")
    await expect(page.locator("#question-f0-own")).to_be_checked()
    data = (await server.next_post())[1]
    assert (data["question-f0"], data["question-f1"]) == (["own"], ["Ulm"])
    await page.get_by_label("City 2").check()
    data = (await server.next_post())[1]
    assert (data["question-f0"], data.get("question-f1")) == (["2"], None)


@pytest.mark.parametrize("key", ["Enter", "Control+Enter"])
async def test_a_form_is_submitted_by_the_keyboard(visit: Visit, server: Served, key: str) -> None:
    page = await server.show(visit, drawn(named()))
    await page.get_by_label("Name" if key == "Enter" else "Story").press(key)
    path, data = await server.next_post()
    assert (path, data["do"]) == ("/b/q/1", ["submit"])


async def test_a_double_click_submits_once(visit: Visit, server: Served) -> None:
    prompt = link_to("https://example.com/")
    page = await server.show(visit, drawn(prompt))
    async with visit.context.expect_page() as opened:
        await page.get_by_role("button", name="Agree and open").dblclick()
    await expect((await opened.value).locator("#done")).to_be_visible()
    await expect(page.get_by_role("button", name="Decline")).to_be_disabled()
    path, data = await server.next_post()
    assert (path, data["do"]) == ("/b/q/1", ["open"])
    assert server.posts.empty()


@pytest.mark.requirement("UI-2")
async def test_declining_posts_nothing_that_was_typed(visit: Visit, server: Served) -> None:
    page = await server.show(visit, drawn(named()))
    await page.get_by_role("button", name="Decline").click()
    assert await server.next_post() == ("/b/q/1", {"token": ["t"], "do": ["decline"]})


async def test_news_never_write_over_what_is_being_typed(visit: Visit, server: Served) -> None:
    prompt = named()
    page = await server.show(visit, drawn(prompt))
    await page.get_by_label("Story").fill("Once upon")
    prompt.count_waiting = lambda: 2
    await server.tell(replace={"region": drawn(prompt)})
    await expect(page.locator(".waiting")).to_have_text("2 more questions wait after this one.")
    assert await page.get_by_label("Story").input_value() == "Once upon"
    await expect(page.get_by_label("Story")).to_be_focused()


async def test_a_new_question_takes_the_place_of_the_last_and_is_announced(
    visit: Visit, server: Served
) -> None:
    page = await server.show(visit, drawn(named()))
    await server.tell(replace={"region": drawn(permit("Allow"), 2)})
    await expect(page.get_by_role("button", name="Allow")).to_be_visible()
    await expect(page.locator("#news")).to_have_text("Permission request from Ada 1.0")
    await expect(page).to_have_title("Permission request from Ada 1.0 - Ada")
    await expect(page.get_by_role("heading", level=2)).to_be_focused()
    await server.tell(replace={"region": ""})
    await expect(page).to_have_title("Ada")


async def test_an_entry_that_comes_twice_stands_once(visit: Visit, server: Served) -> None:
    page = await server.show(visit, Html())
    entries = [element("p", {"id": f"entry-{number}"}, str(number)) for number in (1, 1, 2)]
    for entry in entries:
        await server.tell(append={"region": entry})
    await expect(page.locator("#region p")).to_have_text(["1", "2"])


async def test_time_goes_on_while_a_link_is_open(visit: Visit, server: Served) -> None:
    waiting = render_waiting(
        link_to("https://example.com/"), action="/b/w", token="t", elapsed=59.0
    )
    page = await server.show(visit, waiting)
    await expect(page.locator(".elapsed")).to_have_text(re.compile("For 1 min"))


@pytest.mark.requirement("FORM-8")
@pytest.mark.parametrize("script", [True, False])
async def test_a_page_full_of_markup_runs_none_of_it(
    visit: Visit, server: Served, script: bool
) -> None:
    text = "\"'></textarea></title></script><img src=x onerror=canary=1><script>canary=1</script>"
    browser = visit.context.browser
    assert browser is not None
    async with visiting(browser, java_script_enabled=script) as other:
        for prompt in full_of(text):
            page = await server.show(other, drawn(prompt, show_problems=True))
            await expect(page.locator("article")).to_contain_text("<img src=x onerror")
            await page.close()
        assert other.noted == []


_EVERY = ask(
    message="Why?\n\nPlease.",
    required=("name", "one"),
    name=StringProperty(title="Name", description="Yours.", max_length=40, pattern="^a"),
    story=StringProperty(title="Story"),
    day=StringProperty(title="Day", format="date"),
    secret=StringProperty(title="Word", meta={"isSecret": True}),
    sure=BooleanProperty(title="Sure?"),
    one=SelectProperty(title="One", options=_CITIES[:3]),
    few=SelectProperty(title="Few", options=_CITIES[:3]),
    few_other=StringProperty(title="Another"),
    many=MultiSelectProperty(title="Many", options=_CITIES),
    many_note=StringProperty(title="Note"),
)


@pytest.mark.parametrize(
    ("scheme", "width", "show_problems"),
    [("light", 360, False), ("light", 1280, True), ("dark", 360, True)],
)
async def test_every_question_is_accessible_at_any_width(
    visit: Visit, server: Served, scheme: str, width: int, show_problems: bool
) -> None:
    browser = visit.context.browser
    assert browser is not None
    size = {"width": width, "height": 700}
    async with visiting(browser, color_scheme=scheme, viewport=size) as other:
        link = link_to("http://github.com.example.net:81/" + "a" * 200)
        waiting = render_waiting(link, action="/b/w", token="t", elapsed=5.0)
        prompts: list[Prompt] = [_EVERY, ask(), link, permit("Allow", "Reject", about="More.")]
        for main in (*(drawn(one, show_problems=show_problems) for one in prompts), waiting):
            page = await server.show(other, main)
            await page.evaluate("document.querySelectorAll('details').forEach(d => d.open = true)")
            assert await grave_violations(page) == []
            assert await page.evaluate("document.documentElement.scrollWidth") <= width
            await page.close()


async def test_a_new_question_is_brought_into_view_from_its_beginning(
    visit: Visit, server: Served
) -> None:
    long = [element("p", {"id": f"entry-{number}"}, "said") for number in range(100)]
    page = await server.show(visit, Html("".join(long)))
    options = SelectProperty(title="One", options=_CITIES[:10])
    tall = ask(one=options, two=options, three=options)
    await server.tell(append={"region": element("div", {"id": "asked"})})
    await server.tell(replace={"asked": drawn(tall)})
    await expect(page.get_by_role("heading", level=2)).to_be_in_viewport()
    await expect(page.get_by_label("City 1").first).to_be_in_viewport()
