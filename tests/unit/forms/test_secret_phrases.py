"""Phrases in languages with spaces: what asks for a secret and what only mentions one."""

import pytest

from acp_elicitation.forms.secret_phrases import (
    Manner,
    asked_in_words,
    names_another_thing,
    spelled_out,
)

pytestmark = pytest.mark.requirement("FORM-5")


def rules(text: str, manner: Manner) -> list[str]:
    return [asked.rule for asked in asked_in_words(text, manner)]


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("dbApiKey2", "db api key 2"),
        ("API_KEY", "api key"),
        ("APIKey", "api key"),
        ("x-api-key", "x api key"),
        ("apikey", "apikey"),
        ("PassWord", "pass word"),
        ("2fa.code", "2 fa code"),
        ("\u5bc6\u7801", "\u5bc6\u7801"),
        ("", ""),
    ],
)
def test_a_name_is_spelled_out_as_words(name: str, words: str) -> None:
    assert spelled_out(name) == words


@pytest.mark.parametrize(
    ("name", "rule"),
    [
        ("db password", "password"),
        ("pgpassword", "password"),
        ("pwd", "password"),
        ("smtp pass", "password"),
        ("pass", "password"),
        ("google maps apikey", "api-key"),
        ("mfa", "one-time-code"),
        ("client secret", "secret-key"),
        ("secret", "secret-key"),
        ("github pat", "token"),
        ("password for user 1", "password"),
        ("password 2", "password"),
    ],
)
def test_a_name_asks_by_naming_a_secret(name: str, rule: str) -> None:
    assert rules(name, "name") == [rule]


@pytest.mark.parametrize(
    "name",
    [
        "password policy",
        "token limit",
        "secret name",
        "boarding pass",
        "max tokens",
        "use psk auth",
    ],
)
def test_a_name_of_another_thing_asks_for_none(name: str) -> None:
    assert rules(name, "name") == []


@pytest.mark.parametrize("word", ["pwd", "pw", "smtp pass", "mfa", "bearer"])
def test_an_abbreviation_means_nothing_outside_a_name(word: str) -> None:
    [asked] = asked_in_words(word, "name")
    assert asked.weak
    assert rules(word, "label") == []


@pytest.mark.parametrize(
    ("label", "rule"),
    [
        ("Password", "password"),
        ("API-Key *", "api-key"),
        ("GitHub token (optional)", "token"),
        ("Token for the registry", "token"),
        ("Token required", "token"),
        ("Token 2", "token"),
        ("User name and password", "password"),
        ("Host, port & password", "password"),
        ("Authentication: password", "password"),
        ("Passphrase of the SSH key", "password"),
        ("Value of the API key", "api-key"),
        ("One of your recovery codes", "recovery"),
        ('The "password"', "password"),
        ("What\u2019s your PIN?", "pin"),
    ],
)
def test_a_title_asks_by_naming_a_secret(label: str, rule: str) -> None:
    assert rules(label, "label") == [rule]


@pytest.mark.parametrize(
    "label",
    [
        "Password policy",
        "Name of the API key",
        "Stop token",
        "The token's address",
        "Token symbol",
        "Where is the password stored?",
        "Rotate the API key",
        "Frobnicate the API key",
        '"Password" policy',
        "Column with the password",
        "Not a password",
        "Create a token",
        "Do you have an API key?",
        "Pin to version",
        "Last four digits of the card number",
        "Secretary, keyboard, tokenizer, monkey",
    ],
)
def test_a_title_of_another_thing_asks_for_none(label: str) -> None:
    assert rules(label, "label") == []


@pytest.mark.parametrize(
    ("prose", "rule"),
    [
        ("Enter your password.", "password"),
        ("Please paste your GitHub token here", "token"),
        ("To go on, enter the PIN displayed on the TV", "pin"),
        ("Enter the host, the name of the user and the password", "password"),
        ("Import the wallet: enter your 12-word seed phrase", "recovery"),
        ("Could you give me the passphrase?", "password"),
        ("You need to enter your API key", "api-key"),
        ("What is the password for the user `app`?", "password"),
        ("I need your credit card number.", "card"),
        ("Including user and password", "password"),
        ("If you have no token yet, create one and paste the token", "token"),
        ("Set the token in the field below", "token"),
        ("Do not worry. Enter your password", "password"),
    ],
)
def test_a_sentence_asks_with_a_verb(prose: str, rule: str) -> None:
    [asked] = asked_in_words(prose, "prose")
    assert asked.rule == rule
    assert asked.expressly


@pytest.mark.parametrize(
    ("prose", "rule"),
    [
        ("Personal access token with repo scope", "token"),
        ("Your API key", "api-key"),
        ("Token", "token"),
        ("See the docs. The password of the account", "password"),
    ],
)
def test_a_sentence_that_is_the_name_of_a_secret_asks_by_naming_it(prose: str, rule: str) -> None:
    [asked] = asked_in_words(prose, "prose")
    assert asked.rule == rule
    assert not asked.expressly


@pytest.mark.parametrize(
    "prose",
    [
        "The password is read from .env",
        "Do not enter your password here.",
        "Please never enter your password",
        "Never copy or paste your token",
        "For example a wrong password, an expired token",
        "e.g. password, token",
        "Customers enter their card number on another page",
        "Opens the page where you enter your password",
        "Enter the name of the variable in which your API key is stored",
        "Enter a name so that I can create the API key",
        "Enter the method, such as a password",
        "The method (password)",
        "Please add your API key to .env",
        "Add the token yourself",
        "Token from an earlier request",
        "One two three four five six seven password",
        "https://user:password@host",
        "I found a hard-coded password in settings.py",
    ],
)
def test_a_mention_is_no_request(prose: str) -> None:
    assert rules(prose, "prose") == []


def test_a_finding_has_the_words_that_gave_it_away() -> None:
    [asked] = asked_in_words("Enter your Personal  Access-Token", "label")
    assert asked.term == "access token"


def test_a_denial_far_before_a_term_counts_for_nothing() -> None:
    assert rules("not " + "blue " * 100 + "password", "label") == ["password"]


@pytest.mark.parametrize(
    ("label", "another"),
    [("Path of the key", True), ("Key file", True), ("POLICIES", True), ("Your key", False)],
)
def test_a_noun_that_makes_another_thing_is_told(label: str, another: bool) -> None:
    assert names_another_thing(label) is another
