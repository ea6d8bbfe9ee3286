"""What was said, as blocks: which words stand together, and how much is kept."""

import pytest

from acp_elicitation.cli.feed import Block, Feed
from acp_elicitation.cli.updates import Updates


def blocks(feed: Feed) -> list[Block]:
    return feed.take_changes()[0]


def texts(feed: Feed) -> list[tuple[str, str]]:
    return [(block.kind, block.text) for block in blocks(feed)]


def say(feed: Feed, text: str, *, message: str = "m", anew: bool = False) -> None:
    feed.show_text("agent", message, text, anew=anew)


def test_the_pieces_of_a_message_are_one_block() -> None:
    feed = Feed()
    say(feed, "Hello ")
    say(feed, "world.")
    assert texts(feed) == [("agent", "Hello world.")]


def test_another_message_and_what_stands_between_begin_another_block() -> None:
    feed = Feed()
    say(feed, "one")
    say(feed, "two", message="n")
    feed.tell("own")
    say(feed, "three", message="n")
    assert texts(feed) == [("agent", "one"), ("agent", "two"), ("own", "own"), ("agent", "three")]


def test_a_message_that_stands_anew_replaces_what_it_said() -> None:
    feed = Feed()
    feed.say("before")
    say(feed, "x" * 9_000)
    say(feed, "better", anew=True)
    assert texts(feed) == [("you", "before"), ("agent", "better")]
    say(feed, "", anew=True)
    assert texts(feed) == [("you", "before")]


def test_a_long_text_goes_on_in_further_blocks_and_breaks_where_a_line_or_a_word_ends() -> None:
    feed = Feed()
    say(feed, ("word " * 700) + "\n" + "word " * 700)
    parts = blocks(feed)
    assert [part.goes_on for part in parts] == [False, True]
    assert parts[0].text.endswith("\n")
    say(feed, "y" * 5_000)
    assert all(len(part.text) <= 4_000 for part in blocks(feed))
    assert "".join(part.text for part in blocks(feed)).count("y") == 5_000


def test_a_tool_changes_where_it_stands() -> None:
    feed = Feed()
    feed.show_tool("t", "Paint\nit", "pending")
    feed.tell("own")
    feed.take_changes()
    feed.show_tool("t", "Paint\nit", "completed")
    kept, changed = feed.take_changes()
    assert [block.text for block in kept] == ["Paint it (completed)", "own"]
    assert changed == {kept[0].id}


def test_a_plan_is_shown_in_place_of_the_one_before() -> None:
    feed = Feed()
    feed.show_plan("p", [("now", "first")])
    feed.tell("own")
    feed.show_plan("p", [("done", "first"), ("now", "second\nof two")])
    assert texts(feed) == [("own", "own"), ("plan", "done: first\nnow: second of two")]


def test_what_goes_wrong_is_told_with_the_agents_words_made_visible() -> None:
    feed = Feed()
    feed.show_failure("bad\x1b[2J\nthing")
    feed.tell("left: {}.", "\x07")
    assert texts(feed) == [
        ("bad", "The agent failed: bad<U+001B>[2J thing"),
        ("own", "left: <U+0007>."),
    ]


def test_of_the_agents_noise_the_latest_lines_are_kept_in_one_block() -> None:
    feed = Feed()
    for number in range(50):
        feed.add_noise("stderr: ", f"{number}\xff".encode("latin-1"))
    [(kind, text)] = texts(feed)
    lines = text.split("\n")
    assert kind == "noise"
    assert lines == [f"stderr: {number}\ufffd" for number in range(30, 50)]


def test_an_overlong_line_of_noise_is_cut() -> None:
    feed = Feed()
    feed.add_noise("stderr: ", b"x" * 100_000)
    [(_, text)] = texts(feed)
    assert len(text) <= 520


def test_only_so_many_blocks_are_kept() -> None:
    feed = Feed()
    for number in range(1_000):
        feed.tell(str(number))
        feed.take_changes()
    kept = blocks(feed)
    assert (len(kept), kept[-1].text) == (300, "999")


def test_what_comes_faster_than_it_can_be_shown_is_left_out_and_counted() -> None:
    feed = Feed()
    for number in range(200):
        feed.tell(str(number))
    shown = [text for _, text in texts(feed)]
    assert shown[-2:] == [
        "199",
        "(160 blocks more were left out: they came faster than they could be shown)",
    ]
    assert shown[0] == "160"


@pytest.mark.parametrize("size", [1, 100_000])
def test_a_flood_stays_within_bounds(size: int) -> None:
    feed = Feed()
    updates = Updates(feed)
    content = {"type": "text", "text": "z" * size}
    for _ in range(300):
        updates.take({"sessionUpdate": "agent_message_chunk", "content": content})
    kept = blocks(feed)
    assert sum(len(block.text) for block in kept) <= 300 * 4_000
    assert len(kept) <= 300


def test_nothing_is_to_be_drawn_where_nothing_has_changed() -> None:
    feed = Feed()
    seen = [feed.has_changed]
    feed.tell("own")
    seen.append(feed.has_changed)
    feed.take_changes()
    seen.append(feed.has_changed)
    assert seen == [False, True, False]
