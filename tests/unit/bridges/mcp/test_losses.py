"""Loss reports: what they say in a log."""

from acp_elicitation.bridges.mcp.losses import Loss, LossReport, NotForwarded


def test_a_report_names_the_server_the_places_and_what_became_of_them() -> None:
    loss = Loss("/requestedSchema/$schema", "dropped", "forms have no such member")
    report = LossReport(server="files", mode="form", losses=(loss,))
    assert str(report) == (
        "a form of MCP server 'files' was forwarded with losses; "
        "/requestedSchema/$schema: dropped: forms have no such member"
    )


def test_a_report_of_a_declined_question_says_why() -> None:
    assert str(LossReport(server="files", mode="url", declined="unsafe-link")) == (
        "a url of MCP server 'files' was declined (unsafe-link)"
    )


def test_names_of_the_server_cannot_write_lines_of_their_own_into_a_log() -> None:
    loss = Loss("/a\nb\x1b[31m", "dropped", "forms have no such member")
    said = str(LossReport(server="x\ny", mode="form", losses=(loss,)))
    assert "\n" not in said
    assert "\x1b" not in said


def test_a_thousand_losses_are_counted_and_not_all_told() -> None:
    losses = tuple(Loss(f"/{number}", "dropped", "no") for number in range(1000))
    said = str(LossReport(server="s", mode="form", losses=losses))
    assert said.endswith("/19: dropped: no; and 980 more")
    assert len(said) < 1000
    assert len(str(NotForwarded("not-carried", *losses))) < 1000


def test_what_is_not_forwarded_carries_its_reason_and_losses() -> None:
    loss = Loss("", "refused", "there is nothing")
    error = NotForwarded("malformed", loss)
    assert error.why == "malformed"
    assert error.losses == (loss,)
    assert str(error) == "not forwarded (malformed); /: refused: there is nothing"
