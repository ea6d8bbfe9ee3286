"""What a browser without scripts does with the page, over a real socket."""

import asyncio

import pytest
from starlette.applications import Starlette
from starlette.routing import Mount

from acp_elicitation.presenters.web import server
from acp_elicitation.presenters.web.app import web_app
from acp_elicitation.presenters.web.desk import Desk
from acp_elicitation.presenters.web.presenter import WebPresenter
from acp_elicitation.presenters.web.questions import Posted
from acp_elicitation.presenters.web.shell import STATIC_FILES, read_static
from acp_elicitation.protocol.answers import Accepted, Cancelled, Declined
from acp_elicitation.protocol.schema import StringProperty
from tests.contract.presenters import form_prompt, link_prompt, permission_prompt
from tests.posting import read_page
from tests.web_client import Answer, Client, found

NAME = {"name": StringProperty(title="Name", min_length=3)}


def asked(presenter: WebPresenter, url: str | None = None) -> asyncio.Task[object]:
    """Ask for a name of three characters, or for the consent to a link."""
    if url is not None:
        return asyncio.create_task(presenter.link(link_prompt(url)))
    return asyncio.create_task(presenter.form(form_prompt(NAME, required=("name",))))


def notice(page: Answer) -> str:
    return found(page.text, "#notice").text()


def typed(page: Answer) -> str:
    return found(page.text, "#question-f0").text().strip("\n")


async def test_a_form_is_read_typed_into_submitted_and_gone(
    presenter: WebPresenter, browser: Client
) -> None:
    asking = asked(presenter)
    await asyncio.sleep(0)
    page = await browser.get()
    assert page.headers["content-type"] == "text/html; charset=utf-8"
    assert "Which colour?" in page.text
    answer = await browser.submit(page, "submit", f0="Ada")
    assert await asking == Accepted({"name": "Ada"})
    after = await browser.follow(answer)
    assert notice(after).startswith("Answered.")
    assert "Which colour?" not in after.text


@pytest.mark.requirement("UI-3", "RES-1")
@pytest.mark.parametrize(("do", "reply"), [("decline", Declined()), ("cancel", Cancelled())])
async def test_saying_no_sends_nothing_that_was_typed(
    presenter: WebPresenter, browser: Client, do: str, reply: object
) -> None:
    asking = asked(presenter)
    await asyncio.sleep(0)
    answer = await browser.submit(await browser.get(), do, f0="private")
    assert await asking == reply
    after = await browser.follow(answer)
    assert "Nothing that you typed was sent." in notice(after)
    assert "private" not in after.text


@pytest.mark.requirement("FORM-2", "UI-4")
async def test_a_mistake_is_shown_with_all_that_was_typed(
    presenter: WebPresenter, browser: Client
) -> None:
    asking = asked(presenter)
    await asyncio.sleep(0)
    page = await browser.submit(await browser.get(), "submit", f0="A")
    assert page.status == 422
    assert typed(page) == "A"
    assert "Enter at least 3 characters." in page.text
    assert found(page.text, ".summary") is not None
    assert not asking.done()
    await browser.submit(page, "submit", f0="Ada")
    assert await asking == Accepted({"name": "Ada"})


async def test_a_draft_survives_a_reload_and_a_second_tab(
    presenter: WebPresenter, browser: Client
) -> None:
    asking = asked(presenter)
    await asyncio.sleep(0)
    page = await browser.get()
    question = found(page.text, "#question").attributes["data-question"] or ""
    data = {"token": presenter.desk.token, "question-form": "1", "question-f0": "中\n 文 "}
    saved = await browser.post(f"{question.removeprefix(browser.base)}/draft", data)
    assert saved.status == 200
    assert saved.text == '{"problems":{}}'
    assert not asking.done()  # what is typed is not what is sent
    for place in ("/", question.removeprefix(browser.base)):
        assert typed(await browser.get(place)) == "中\n 文 "
    await browser.submit(await browser.get(), "submit")
    assert await asking == Accepted({"name": "中\n 文 "})


async def test_a_draft_that_is_saved_comes_back_with_its_problems(
    presenter: WebPresenter, browser: Client
) -> None:
    asking = asked(presenter)
    await asyncio.sleep(0)
    question = presenter.questions.current
    assert question is not None
    data = {"token": presenter.desk.token, "question-form": "1", "question-f0": "A"}
    saved = await browser.post(f"/q/{question.id}/draft", data)
    assert saved.text == '{"problems":{"question-f0":["Enter at least 3 characters."]}}'
    presenter.dismiss()
    await asking
    assert (await browser.post(f"/q/{question.id}/draft", data)).status == 410
    assert (await browser.post("/q/other/draft", data)).status == 404


async def test_a_double_click_is_one_answer_and_both_get_the_same_page(
    presenter: WebPresenter, browser: Client
) -> None:
    asking = asked(presenter)
    await asyncio.sleep(0)
    page = await browser.get()
    first, second = await asyncio.gather(
        browser.submit(page, "submit", f0="Ada"), browser.submit(page, "submit", f0="Ada")
    )
    assert await asking == Accepted({"name": "Ada"})
    assert first.place == second.place
    pages = [await browser.follow(first), await browser.follow(second)]
    assert {notice(page) for page in pages} == {"Answered. Only what was submitted first was sent."}


async def test_an_answer_to_an_old_question_never_answers_the_next(
    presenter: WebPresenter, browser: Client
) -> None:
    first = asked(presenter)
    await asyncio.sleep(0)
    old = await browser.get()
    await browser.submit(old, "decline")
    await first
    second = asked(presenter)
    await asyncio.sleep(0)
    after = await browser.follow(await browser.submit(old, "submit", f0="Ada"))
    assert notice(after) == "Declined. Nothing that you typed was sent."
    assert typed(after) == ""
    assert not second.done()
    presenter.dismiss()
    assert await second == Cancelled()


async def test_an_answer_to_a_withdrawn_question_says_so_and_keeps_nothing(
    presenter: WebPresenter, browser: Client
) -> None:
    prompt = form_prompt(NAME, required=("name",))
    asking = asyncio.create_task(presenter.form(prompt))
    await asyncio.sleep(0)
    page = await browser.get()
    asking.cancel()
    await asyncio.wait([asking])
    await presenter.withdraw(prompt, "withdrawn")
    answer = await browser.submit(page, "submit", f0="private")
    after = await browser.follow(answer)
    assert notice(after) == "This question was withdrawn. Nothing that you typed was sent."
    assert "private" not in after.text
    assert prompt.draft.text("name") == ""


@pytest.mark.requirement("URL-10", "URL-11")
async def test_a_consent_leads_the_new_tab_to_exactly_the_address_that_was_shown(
    presenter: WebPresenter, browser: Client
) -> None:
    url = "https://example.com/a?b='c'&d=%22;e#f"
    asking = asked(presenter, url)
    await asyncio.sleep(0)
    page = await browser.get()
    form = found(page.text, "#question-yes")
    assert form.attributes["target"] == "_blank"
    assert "noopener" in str(form.attributes["rel"])
    assert not read_page(page.text).css('[href*="example.com"], meta[http-equiv=refresh]')
    departing = await browser.submit(page, "open")
    assert departing.status == 200
    assert await asking == Accepted(None)
    tree = read_page(departing.text)
    assert found(departing.text, "meta[http-equiv=refresh]").attributes["content"] == f"0;url={url}"
    [link] = tree.css('main a[href*="example.com"]')
    assert link.attributes["href"] == url
    again = await browser.submit(page, "open")  # a double click opens one tab that leads there
    assert again.status == 303


@pytest.mark.requirement("URL-8")
async def test_an_opened_link_waits_until_its_user_is_done(
    presenter: WebPresenter, browser: Client
) -> None:
    prompt = link_prompt()
    waiting = asyncio.create_task(presenter.wait_for_completion(prompt))
    await asyncio.sleep(0)
    page = await browser.get()
    [link] = read_page(page.text).css("main a")
    assert link.attributes["href"] == prompt.url
    data = {"token": presenter.desk.token}
    for nothing in ({"do": "other"}, {}, {"do": ["done", "done"]}):
        after = await browser.follow(await browser.post("/waiting", data | nothing))
        assert prompt.url in after.text
    assert not waiting.done()
    after = await browser.follow(await browser.post("/waiting", data | {"do": "done"}))
    await waiting
    assert notice(after) == "Done waiting. The agent may wait all the same."
    assert prompt.url not in after.text


async def test_a_permission_is_the_option_that_was_chosen(
    presenter: WebPresenter, browser: Client
) -> None:
    asking = asyncio.create_task(presenter.permission(permission_prompt()))
    await asyncio.sleep(0)
    await browser.submit(await browser.get(), "option-1")
    assert await asking == Accepted("no")


async def test_what_no_button_of_the_page_posts_is_no_answer(
    presenter: WebPresenter, browser: Client
) -> None:
    asking = asked(presenter, "https://example.com/")
    await asyncio.sleep(0)
    for do in ("submit", "", "yes"):
        assert (await browser.submit(await browser.get(), do, form="question-yes")).status == 422
    assert not asking.done()
    presenter.dismiss()
    assert await asking == Cancelled()


@pytest.mark.requirement("RES-1")
async def test_a_form_without_the_token_of_the_page_is_refused(
    presenter: WebPresenter, browser: Client
) -> None:
    asking = asked(presenter)
    await asyncio.sleep(0)
    question = presenter.questions.current
    assert question is not None
    token = presenter.desk.token
    for data in ({}, {"token": ""}, {"token": token[:-1]}, {"token": token + "x"},
                 {"token": [token, "x"]}, {"Token": token}, {"token": "é"}):  # fmt: skip
        for place in (f"/q/{question.id}", f"/q/{question.id}/draft", "/waiting"):
            answer = await browser.post(place, dict(data) | {"do": "decline"})
            assert answer.status == 403
    assert not asking.done()
    assert (
        await browser.post(f"/q/{question.id}", {"token": token, "do": "decline"})
    ).status == 303
    assert await asking == Declined()


async def test_a_body_of_too_many_fields_or_of_no_text_is_no_answer(
    presenter: WebPresenter, browser: Client
) -> None:
    many = b"&".join([b"a=b"] * 20_001)
    assert (await browser.post_body("/waiting", many)).status == 413
    for body in (b"\xff\xfe", b"%ff=%fe", b"=&=&", b"token=%ED%A0%80"):
        assert (await browser.post_body("/waiting", body)).status == 403


async def test_what_is_not_there_is_not_found(presenter: WebPresenter, browser: Client) -> None:
    token = {"token": presenter.desk.token, "do": "decline"}
    for place in ("/x", "/q", "/q/", "/q/x", "/q/x/y", "/static/", "/static/x", "/static/../app.py",
                  "/static/%2e%2e/app.py", "/waiting", "//", "/events/"):  # fmt: skip
        assert (await browser.get(place)).status == 404, place
    for place in ("/q/x", "/x"):
        assert (await browser.post(place, token)).status == 404
    for place in ("/", "/events", "/static/page.js"):
        assert (await browser.post(place, token)).status in (404, 405)


async def test_static_files_come_as_what_they_are(browser: Client) -> None:
    for name, kind in STATIC_FILES.items():
        answer = await browser.get(f"/static/{name}")
        assert answer.body == read_static(name)
        assert answer.headers["content-type"] == kind


async def test_the_host_of_the_page_may_take_what_its_own_forms_post(
    presenter: WebPresenter, browser: Client
) -> None:
    taken: list[Posted] = []

    async def take(data: Posted) -> None:
        taken.append(data)

    presenter.desk.actions["say"] = take
    answer = await browser.post("/say", {"token": presenter.desk.token, "text": "hello"})
    assert answer.place == f"{browser.base}/"
    assert taken == [{"text": ["hello"]}]
    await browser.post("/say", {"text": "hello"})
    assert len(taken) == 1


@pytest.mark.requirement("UI-2")
async def test_a_fault_of_the_page_is_told_without_its_text(
    presenter: WebPresenter, browser: Client, caplog: pytest.LogCaptureFixture
) -> None:
    async def fail(data: Posted) -> None:
        raise ValueError(data["text"])

    presenter.desk.actions["say"] = fail
    answer = await browser.post("/say", {"token": presenter.desk.token, "text": "private"})
    assert answer.status == 500
    assert "private" not in answer.text
    assert "ValueError" in caplog.text
    assert "private" not in caplog.text


async def test_the_page_can_be_mounted_in_another_application(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def mounted(presenter: WebPresenter, *, origins: list[str]) -> Starlette:
        app = web_app(presenter, origins=origins)
        return Starlette(routes=[Mount("/ask", app)])

    monkeypatch.setattr(server, "web_app", mounted)
    presenter = WebPresenter(Desk(prefix="/ask"))
    async with server.serving(presenter) as address:
        assert "/ask/" in address
        browser = Client(address)
        asking = asked(presenter)
        await asyncio.sleep(0)
        page = await browser.get()
        script = found(page.text, "script").attributes["src"] or ""
        assert (await browser.request("GET", script, b"", {})).status == 200
        await browser.follow(await browser.submit(page, "submit", f0="Ada"))
        assert await asking == Accepted({"name": "Ada"})
        assert (await browser.request("GET", presenter.desk.base[4:] + "/", b"", {})).status == 404


async def test_a_browser_lands_where_the_page_says_after_posting(
    presenter: WebPresenter, browser: Client
) -> None:
    presenter.desk.landing = "notice"
    answer = await browser.post("/waiting", {"token": presenter.desk.token})
    assert answer.headers["location"] == f"{browser.base}/#notice"


async def test_a_tab_hears_of_a_question_and_of_its_end(
    presenter: WebPresenter, browser: Client
) -> None:
    async with browser.listening(after=0) as one, browser.listening(after=0) as other:
        asking = asked(presenter)
        for tab in (one, other):
            _, change = await tab.change()
            assert "Which colour?" in change["replace"]["asked"]
        presenter.dismiss()
        await asking
        for tab in (one, other):
            _, change = await tab.change()
            assert "Nothing is asked now." in change["replace"]["asked"]


async def test_a_tab_that_was_cut_off_hears_of_what_it_has_missed(
    presenter: WebPresenter, browser: Client
) -> None:
    async with browser.listening(after=0) as tab:
        first = asked(presenter)
        number, _ = await tab.change()
    presenter.dismiss()
    await first
    second = asked(presenter, "https://example.com/missed")
    async with browser.listening(Last_Event_ID=str(number)) as tab:
        heard = [await tab.change() for _ in range(2)]
    assert [number for number, _ in heard] == [number + 1, number + 2]
    assert "Nothing is asked now." in heard[0][1]["replace"]["asked"]
    assert "/missed" in heard[1][1]["replace"]["asked"]
    second.cancel()


@pytest.mark.parametrize("number", ["x", "-1", "1.0", "99999999999999999999", "٣"])
async def test_a_tab_with_no_number_of_ours_gets_the_whole_page(
    presenter: WebPresenter, browser: Client, number: str
) -> None:
    asking = asked(presenter)
    await asyncio.sleep(0)
    async with browser.listening(Last_Event_ID=number) as tab:
        _, change = await tab.change()
    assert set(change["replace"]) == {"asked", "notice"}
    asking.cancel()
