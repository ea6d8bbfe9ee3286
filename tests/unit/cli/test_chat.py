"""`acp-elicit chat` as a process of its own: options, exit codes, and what it prints."""

import asyncio
import json
import os
import shlex
import stat
import sys
from pathlib import Path

import pytest

from acp_elicitation.cli.flood import LINES_AT_MOST

AGENT = (sys.executable, str(Path(__file__).with_name("obedient_agent.py")))
MAIN = "import sys; from acp_elicitation.cli import main; sys.exit(main())"
BUFFERED = {"PYTHONUNBUFFERED": ""}
"""Output is buffered as it is where nobody asked for anything else."""
SPEAKS_NONSENSE = """
import json, sys
for line in sys.stdin:
    print(json.dumps({"jsonrpc": "2.0", "id": json.loads(line)["id"], "result": {}}), flush=True)
"""
KILLS_ITSELF = """
import asyncio, os
from acp_elicitation import Agent

async def on_prompt(turn):
    os.kill(os.getpid(), 9)

asyncio.run(Agent(on_prompt, name="short-lived").serve_stdio())
"""
_LIMIT = 30.0


class Ran:
    """What a run of the command came to."""

    def __init__(self, code: int, out: str, err: str) -> None:
        self.code = code
        self.out = out
        self.err = err


async def run(*arguments: str, typed: str = "", cwd: Path | None = None) -> Ran:
    process = await asyncio.create_subprocess_exec(
        *(
            sys.executable,
            "-c",
            MAIN,
        ),
        *arguments,
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
        cwd=cwd,
        env={**os.environ, **BUFFERED},
    )
    try:
        async with asyncio.timeout(_LIMIT):
            out, err = await process.communicate(typed.encode())
    except BaseException:
        process.kill()
        await process.wait()
        raise
    return Ran(process.returncode or 0, out.decode(), err.decode())


async def chat(*options: str, typed: str = "", agent: tuple[str, ...] = AGENT) -> Ran:
    return await run("chat", *options, "--", *agent, typed=typed)


def answers(folder: Path, *rules: object) -> str:
    path = folder / "answers.json"
    path.write_text(json.dumps(rules))
    return str(path)


# --- usage ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        ([], "the agent's command is missing: put it after --"),
        (["--prompt", "x", "--"], "the agent's command is missing"),
        (["--protocol", "3", "--", "x"], "invalid choice: '3'"),
        (["--ui", "script", "--", "x"], "--ui script needs --answers FILE"),
        (["--ui", "plain", "--answers", "a.json", "--", "x"], "--answers needs --ui script"),
        (["--cwd", "missing", "--", "x"], "--cwd: no such folder: missing"),
        (["--answers", "missing.yaml", "--", "x"], "missing.yaml: No such file or directory"),
        (["--transcript", "missing/t.jsonl", "--", "x"], "missing/t.jsonl: No such file"),
        (["--nonsense", "--", "x"], "unrecognized arguments: --nonsense"),
        (["--nonsense"], "unrecognized arguments: --nonsense"),
        (["python", "a b.py"], "put -- before the agent's command, as in: -- python 'a b.py'"),
        (["--cwd", "file", "--", "x"], "--cwd: no folder, but a file: file"),
        (["--prompt", "", "--", "x"], "--prompt: a text without a word"),
        (["--prompt", "a", " ", "--", "x"], "--prompt: a text without a word"),
    ],
)
async def test_wrong_usage_is_explained_with_exit_code_2(
    arguments: list[str], reason: str, tmp_path: Path
) -> None:
    (tmp_path / "file").touch()
    ran = await run("chat", *arguments, cwd=tmp_path)
    assert (ran.code, ran.out) == (2, "")
    assert reason in ran.err


async def test_a_bad_rule_is_named_with_exit_code_2(tmp_path: Path) -> None:
    file = answers(tmp_path, {"action": "cancel"}, {"action": "agree"})
    ran = await chat("--answers", file)
    assert ran.code == 2
    assert ran.err == (
        f"acp-elicit chat: error: {file}: rule 2: action: expected accept, decline or cancel\n"
    )


async def test_help_tells_the_options_and_the_answers_file() -> None:
    ran = await run("chat", "--help")
    assert ran.code == 0
    for part in ("--protocol", "--answers", "-- COMMAND ARGS...", "exit codes", "when: {message"):
        assert part in ran.out


# --- prompts and exit codes -----------------------------------------------------------------------


@pytest.mark.parametrize("options", [("--protocol", "1"), ("--protocol", "2"), ()])
async def test_prompts_are_said_in_order_and_the_end_of_their_turns_is_success(
    options: tuple[str, ...],
) -> None:
    ran = await chat(*options, "--prompt", "one", "two", "--prompt", "three")
    version = options[1] if options else "2"
    assert ran.out == (
        f"Connected, protocol version {version}: Obedient 1.0\n"
        "You: one\nAgent:\n| You said 'one'.\n"
        "You: two\nAgent:\n| You said 'two'.\n"
        "You: three\nAgent:\n| You said 'three'.\n"
    )
    assert (ran.code, ran.err) == (0, "")


async def test_auto_falls_back_to_version_1_with_an_agent_that_knows_no_other(
    tmp_path: Path,
) -> None:
    file = answers(tmp_path, {"action": "accept", "content": {"colour": "red"}})
    ran = await chat("--answers", file, "--prompt", "ask", agent=(*AGENT, "1"))
    assert "Connected, protocol version 1: Obedient 1.0\n" in ran.out
    assert "| Answered: accepted {'colour': 'red'}\n" in ran.out
    assert ran.code == 0


@pytest.mark.parametrize("protocol", ["1", "2"])
async def test_what_the_agent_does_is_shown_and_nothing_of_it_acts_on_the_terminal(
    protocol: str,
) -> None:
    ran = await chat("--protocol", protocol, "--prompt", "show")
    assert ran.out.partition("\n")[2] == (
        "You: show\n"
        "Thought:\n| Hm.\n"
        "Agent:\n| Hello <U+001B>[31mred<U+001B>[0m world. Second line\n| of mine.\n"
        "Tool: Paint it (in_progress)\n"
        "Tool: Paint it (completed)\n"
    )
    assert ran.code == 0


@pytest.mark.parametrize(
    ("agent", "reason"),
    [
        (
            ("no-such-agent-anywhere",),
            "the agent could not be started: no-such-agent-anywhere: not found; check the command",
        ),
        ((sys.executable, "-c", "pass"), "the agent left: "),
        ((sys.executable, "-c", "raise SystemExit(9)"), "its exit status was 9"),
        (("cat",), "the agent"),
        (
            (sys.executable, "-c", SPEAKS_NONSENSE),
            "the agent does not speak the protocol: /protocolVersion: expected an integer",
        ),
    ],
)
async def test_an_agent_that_does_not_speak_is_exit_code_3(
    agent: tuple[str, ...], reason: str
) -> None:
    ran = await chat("--prompt", "x", agent=agent)
    assert ran.code == 3
    assert f"acp-elicit: {reason}" in ran.err


@pytest.mark.parametrize("protocol", ["1", "2"])
@pytest.mark.parametrize("prompt", ["crash", "error"])
async def test_an_agent_that_leaves_or_fails_within_a_turn_is_exit_code_3(
    protocol: str, prompt: str
) -> None:
    ran = await chat("--protocol", protocol, "--prompt", prompt, "never said")
    assert ran.code == 3
    assert "never said" not in ran.out
    assert "the agent" in (ran.out + ran.err).partition(f"You: {prompt}")[2] or ran.err


async def test_a_question_without_a_scripted_answer_is_exit_code_4(tmp_path: Path) -> None:
    file = answers(tmp_path, {"when": {"mode": "url"}, "action": "accept"})
    ran = await chat("--answers", file, "--prompt", "ask", "never said")
    assert ran.code == 4
    assert ran.err == "acp-elicit: no unused rule answers the form 'Which colour?'\n"
    assert "never said" not in ran.out


async def test_a_question_before_the_first_prompt_counts_as_well(tmp_path: Path) -> None:
    folder = tmp_path / "ask-first"
    folder.mkdir()
    ran = await chat("--answers", answers(tmp_path), "--cwd", str(folder), "--prompt", "x")
    assert ran.code == 4
    assert "'Who are you?'" in ran.err


async def test_an_agent_that_wants_a_login_is_exit_code_3_with_what_to_do(tmp_path: Path) -> None:
    folder = tmp_path / "log-in"
    folder.mkdir()
    ran = await chat("--cwd", str(folder), "--prompt", "x")
    assert ran.code == 3
    assert ran.err == (
        "acp-elicit: the agent wants its user to log in first: Authentication required\n"
        "acp-elicit: log in with the agent's own program, then try again\n"
    )


async def test_a_turn_that_ends_for_another_reason_says_so_and_is_a_turn_that_ended() -> None:
    ran = await chat("--prompt", "refuse")
    assert ran.code == 0
    assert ran.out.endswith("The turn ended: refusal\n")


async def test_a_scripted_answer_that_does_not_fit_is_exit_code_4(tmp_path: Path) -> None:
    file = answers(tmp_path, {"action": "accept", "content": {"colour": 7}})
    ran = await chat("--answers", file, "--prompt", "ask")
    assert ran.code == 4
    assert "rule 1: its content does not fit the form 'Which colour?': colour: " in ran.err


@pytest.mark.parametrize("protocol", ["1", "2"])
async def test_a_script_answers_forms_links_and_permissions(protocol: str, tmp_path: Path) -> None:
    file = answers(
        tmp_path,
        {"when": {"permission": True}, "option": "reject_once"},
        {"when": {"mode": "url"}, "action": "accept", "open": False},
        {"when": {"property": "colour"}, "action": "accept", "content": {"colour": "red"}},
    )
    prompts = ("--prompt", "ask", "link", "permit")
    ran = await chat("--protocol", protocol, "--ui", "script", "--answers", file, *prompts)
    assert ran.code == 0
    assert "| Answered: accepted {'colour': 'red'}\n" in ran.out
    assert "| Answered: accepted None\n" in ran.out
    assert "| Answered: {'outcome': {'outcome': 'selected', 'optionId': 'o2'}}\n" in ran.out
    assert "Question from Obedient 1.0\n" in ran.out


# --- streams that are closed, and text that is none -----------------------------------------------


async def shell(script: str) -> Ran:
    """Run a shell script in which `$CHAT` is the command up to its options."""
    process = await asyncio.create_subprocess_exec(
        *("bash", "-c", script),
        env={**os.environ, "CHAT": shlex.join((sys.executable, "-c", MAIN)), **BUFFERED},
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    async with asyncio.timeout(_LIMIT):
        out, err = await process.communicate()
    return Ran(process.returncode or 0, out.decode(), err.decode())


async def test_a_reader_that_leaves_ends_the_conversation_quietly() -> None:
    agent = shlex.join(AGENT)
    prompts = " ".join(["hello" * 400] * 50)  # more than a pipe holds, however late `head` leaves
    ran = await shell(f"set -o pipefail; eval $CHAT chat --prompt {prompts} -- {agent} | head -n 1")
    assert (ran.code, ran.err) == (141, "")
    assert ran.out == "Connected, protocol version 2: Obedient 1.0\n"


@pytest.mark.parametrize("rest", ["--help", "demo", f"chat --prompt hello -- {shlex.join(AGENT)}"])
async def test_an_output_that_cannot_be_written_is_said_and_is_exit_code_74(rest: str) -> None:
    ran = await shell(f"eval $CHAT {rest} </dev/null >/dev/full")
    assert (ran.code, ran.out) == (74, "")
    assert ran.err == "acp-elicit: The output cannot be written: No space left on device.\n"


@pytest.mark.parametrize(
    "rest", [("--help",), ("--prompt", "hello", "--", *AGENT)], ids=["help", "prompt"]
)
async def test_an_output_that_nobody_ever_reads_is_exit_code_141(rest: tuple[str, ...]) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-c", MAIN, "chat", *rest),
        stdin=asyncio.subprocess.DEVNULL,
        stdout=writing,
        stderr=asyncio.subprocess.PIPE,
        env={**os.environ, **BUFFERED},
    )
    os.close(writing)
    async with asyncio.timeout(_LIMIT):
        _, err = await process.communicate()
    assert (process.returncode, err) == (141, b"")


@pytest.mark.parametrize(("closed", "code"), [("<&-", 0), (">&-", 0), ("2>&-", 0)])
async def test_a_standard_stream_may_be_closed(closed: str, code: int) -> None:
    ran = await shell(f"eval $CHAT chat --prompt hello stderr -- {shlex.join(AGENT)} {closed}")
    assert ran.code == code
    assert "Traceback" not in ran.err
    assert ran.out == "" if closed == ">&-" else "| You said 'hello'.\n" in ran.out


async def test_without_an_input_the_conversation_ends_at_its_first_prompt() -> None:
    ran = await shell(f"eval $CHAT chat -- {shlex.join(AGENT)} <&-")
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.endswith("\nyou> \n")


async def test_a_prompt_that_is_no_text_is_wrong_usage() -> None:
    ran = await shell(f"eval $CHAT chat --prompt $'\\xff' -- {shlex.join(AGENT)}")
    assert ran.code == 2
    assert "--prompt: a text that the encoding of this terminal does not know" in ran.err


async def test_an_output_that_knows_few_characters_gets_the_names_of_the_others() -> None:
    ran = await shell(f"PYTHONIOENCODING=ascii eval $CHAT chat --prompt é -- {shlex.join(AGENT)}")
    assert ran.code == 0
    assert "You: \\xe9\n" in ran.out


# --- over a pipe ----------------------------------------------------------------------------------


async def test_prompts_and_answers_can_come_over_a_pipe_in_their_order() -> None:
    typed = 'hello\nask\ngreen\nsubmit\n"""\ntwo\nlines\n"""\npermit\n1\n'
    ran = await chat(typed=typed)
    assert ran.code == 0
    assert "| You said 'hello'.\n" in ran.out
    assert "| Answered: accepted {'colour': 'green'}\n" in ran.out
    assert r"| You said 'two\nlines'." in ran.out
    assert "'optionId': 'o1'" in ran.out


@pytest.mark.requirement("RES-1")
async def test_the_end_of_a_pipe_cancels_the_question_and_ends_the_conversation() -> None:
    ran = await chat(typed="ask\n")
    assert ran.code == 0
    assert "| Answered: cancelled None\n" in ran.out


async def test_a_failed_turn_leaves_the_conversation_open() -> None:
    ran = await chat("--protocol", "1", typed="error\nhello\n")
    assert ran.code == 0
    assert "acp-elicit: the agent answered with error -32603: " in ran.err
    assert "| You said 'hello'.\n" in ran.out


async def test_an_agent_that_leaves_ends_the_conversation() -> None:
    ran = await chat(typed="crash\nhello\n")
    assert ran.code == 3
    assert "the agent left: " in ran.err


async def test_an_agent_that_is_started_a_second_time_is_no_riddle() -> None:
    ran = await chat("--prompt", "hello", agent=(*AGENT, "1"))
    assert ran.err == (
        "acp-elicit: the agent did not answer in version 2: it is started a second time, "
        "in version 1\n"
    )
    ran = await chat("--prompt", "x", agent=("no-such-agent-anywhere",))
    assert "a second time" not in ran.err


# --- the agent's other output ---------------------------------------------------------------------


async def test_the_agents_stderr_passes_through_with_its_mark() -> None:
    ran = await chat("--prompt", "stderr")
    assert "agent's stderr: a line <U+001B>[2J on stderr\n" in ran.err
    assert ran.code == 0


async def test_rules_that_answered_nothing_are_named_at_the_end(tmp_path: Path) -> None:
    rule = {"action": "accept", "content": {"colour": "red"}}
    idle = {"when": {"mode": "url"}, "action": "decline"}
    ran = await chat("--answers", answers(tmp_path, idle, rule), "--prompt", "ask")
    assert (ran.code, ran.err) == (
        0,
        "acp-elicit: rule 1 of the answers file answered nothing\n",
    )
    ran = await chat("--answers", answers(tmp_path, rule), "--prompt", "ask")
    assert (ran.code, ran.err) == (0, "")


async def test_the_sample_of_answers_answers_the_demo() -> None:
    sample = Path(__file__).parents[3] / "examples/answers.yaml"
    demo = (sys.executable, "-m", "acp_elicitation.demo")
    ran = await chat("--answers", str(sample), "--prompt", "Go on.", agent=demo)
    assert (ran.code, ran.err) == (0, "")
    assert '|     name = "sunflower"\n' in ran.out
    assert "All done.\n" in ran.out


async def test_a_flood_on_stderr_is_cut_off_and_counted() -> None:
    ran = await chat("--prompt", "flood")
    assert ran.err.count("agent's stderr:     indented\n") == LINES_AT_MOST
    assert ran.err.endswith("acp-elicit: 400 more lines of the agent's stderr were left out\n")


async def test_what_is_no_message_is_reported_and_skipped() -> None:
    ran = await chat("--protocol", "1", "--prompt", "hello", agent=(*AGENT, "noisy"))
    assert "agent's stdout, no message: I am not JSON\n" in ran.err
    assert "| You said 'hello'.\n" in ran.out
    assert ran.code == 0


# --- the transcript -------------------------------------------------------------------------------


async def test_a_transcript_holds_every_message_with_time_and_sender(tmp_path: Path) -> None:
    path = tmp_path / "t.jsonl"
    ran = await chat("--protocol", "2", "--transcript", str(path), "--prompt", "hello")
    assert ran.code == 0
    entries = [json.loads(line) for line in path.read_text().splitlines()]
    assert all(set(entry) == {"at", "from", "message"} for entry in entries)
    assert [e["message"].get("method") for e in entries if e["from"] == "client"] == [
        "initialize",
        "session/new",
        "session/prompt",
    ]
    said = [e["message"] for e in entries if e["from"] == "agent"]
    assert any(m.get("params", {}).get("update", {}).get("state") == "idle" for m in said)
    assert sorted(entries, key=lambda entry: str(entry["at"])) == entries
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


async def test_a_transcript_keeps_what_was_no_message_too(tmp_path: Path) -> None:
    path = tmp_path / "t.jsonl"
    await chat("--transcript", str(path), "--prompt", "hello", agent=(*AGENT, "noisy"))
    texts = [json.loads(line).get("text") for line in path.read_text().splitlines()]
    assert "I am not JSON" in texts


@pytest.mark.requirement("RES-5")
async def test_the_exit_status_of_an_agent_that_leaves_is_told() -> None:
    ran = await chat("--prompt", "crash")
    assert ran.code == 3
    assert ran.err.endswith("acp-elicit: its exit status was 7\n")


async def test_the_signal_that_ended_an_agent_is_told() -> None:
    ran = await chat("--prompt", "x", agent=(sys.executable, "-c", KILLS_ITSELF))
    assert ran.code == 3
    assert "acp-elicit: it was ended by signal 9\n" in ran.err
