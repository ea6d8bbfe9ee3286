"""The language of a command, by its option and by the environment."""

import argparse
import os
import re
import subprocess
import sys
from collections.abc import Iterator

import pytest

from acp_elicitation.cli import main
from acp_elicitation.cli.spoken import add_language_option, speak
from acp_elicitation.text.language import tr, use_language

CHINESE = re.compile("[\u4e00-\u9fff]")
AGENT = "Project setup (demo) 1.0"


@pytest.fixture(autouse=True)
def english_afterwards(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(name, raising=False)
    yield
    use_language("en")


def spoken() -> str:
    return {"Submitted.": "en", "已提交。": "zh-CN"}[tr("Submitted.")]


@pytest.mark.parametrize(
    ("arguments", "locale", "language"),
    [
        ([], None, "en"),
        ([], "zh_CN.UTF-8", "zh-CN"),
        (["--lang", "zh-CN"], None, "zh-CN"),
        (["--lang=zh-CN"], None, "zh-CN"),
        (["--lang", "en"], "zh_CN.UTF-8", "en"),
        (["--lang", "en", "--lang", "zh-CN"], None, "zh-CN"),
        (["--lang"], "zh_CN.UTF-8", "zh-CN"),
        (["--lang", "tlh"], "zh_CN.UTF-8", "zh-CN"),  # the complaint about it is understood
        (["--", "agent", "--lang", "zh-CN"], None, "en"),
    ],
)
def test_the_option_goes_before_the_environment(
    arguments: list[str], locale: str | None, language: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    if locale is not None:
        monkeypatch.setenv("LANG", locale)
    speak(arguments)
    assert spoken() == language


def test_a_language_that_is_not_there_is_wrong_usage(capsys: pytest.CaptureFixture[str]) -> None:
    parser = argparse.ArgumentParser()
    add_language_option(parser)
    assert parser.parse_args(["--lang", "zh_CN.UTF-8"]).lang == "zh-CN"
    with pytest.raises(SystemExit):
        parser.parse_args(["--lang", "tlh"])
    assert "no such language: tlh; there are en, zh-CN" in capsys.readouterr().err


@pytest.mark.parametrize("command", ["demo", "chat"])
def test_the_help_is_in_the_language(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main([command, "--lang", "zh-CN", "--help"])
    assert "界面语言（默认：由 LC_ALL、LC_MESSAGES 或 LANG 决定）" in re.sub(
        r"\s*\n\s*", "", capsys.readouterr().out
    )


def test_the_list_of_commands_is_in_the_language_of_the_environment(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert main(["--help"]) == 0
    assert re.search("demo +talk to a demo agent", capsys.readouterr().out)
    monkeypatch.setenv("LC_ALL", "zh_CN.UTF-8")
    assert main(["--help"]) == 0
    assert re.search("demo +与演示智能体对话", capsys.readouterr().out)


def demo(*arguments: str, **environment: str) -> str:
    finished = subprocess.run(
        [sys.executable, "-c", "import sys; from acp_elicitation.cli import main; sys.exit(main())",
         "demo", *arguments],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        encoding="utf-8",
        env={**os.environ, "PYTHONUTF8": "1", **environment},
        timeout=50,
        check=True,
    )  # fmt: skip
    assert finished.stderr == ""
    return finished.stdout


def test_the_demo_speaks_chinese_but_for_what_is_the_agents_own() -> None:
    own = [line for line in demo("--lang", "zh-CN").splitlines() if not line.startswith("|")]
    for line in own:
        label, colon, _ = line.replace(AGENT, "").partition("：")
        if line and not line.startswith("  "):
            assert CHINESE.search(label), line
            assert not re.search("[A-Za-z]", label), line
        elif line and colon:
            assert CHINESE.search(label), line  # "  主机：127.0.0.1"; the others are the agent's
    assert "来自 Project setup (demo) 1.0 的提问" in own
    assert "  Project name: sunflower" in own
    assert sum("脚本的回答：" in line for line in own) == 4


def test_the_demo_speaks_as_the_locale_says() -> None:
    assert "脚本的回答：接受" in demo(LC_ALL="zh_CN.UTF-8")
