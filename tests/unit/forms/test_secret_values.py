"""Values that are secrets themselves, each in pieces: no scanner is to take one for a leak."""

import time

import pytest

from acp_elicitation.forms.secret_values import _NO_SEED, _SHAPES, is_secret_value

pytestmark = pytest.mark.requirement("FORM-5")

RANDOM = "x9Kd83mfQ0pLzR4tVwY7bNcA1sJeGhUi52oTx9Kd83mfQ0pLzR4tVwY7bNcA1sJeGhUi52oT"
UPPER = "QP3RZG7XW2LMZ5TNBKQ4VYH6JEDCFAQP3RZG7XW2LMZ5TNBKQ4VYH6JEDCFA"
HEX = "3f9a61c07be2d85430cf1279ae6b8d04" * 2
BECH = "QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7LQPZRY9X8GF2TVDW0S3JN54KHCE"

SECRETS = [
    ("private-key", "-----BEGIN " + "PRIVATE KEY-----\nMIIE"),
    ("private-key", "-----BEGIN OPENSSH " + "PRIVATE KEY-----\nb3Bl"),
    ("private-key", "key: -----BEGIN PGP " + "PRIVATE KEY BLOCK-----"),
    ("age-key", "AGE-SECRET-" + "KEY-1" + BECH),
    ("aws-key", "AKIA" + "Q3EGV7XW2RMZ5TNB"),
    ("aws-key", "id ASIA" + "Q3EGV7XW2RMZ5TNB."),
    ("github-token", "ghp_" + RANDOM[:36]),
    ("github-token", "github_pat_" + RANDOM[:30]),
    ("gitlab-token", "glpat-" + RANDOM[:20]),
    ("slack-token", "xoxb-" + "2718281828-" + RANDOM[:24]),
    ("slack-token", "xapp-1-" + RANDOM[:30]),
    ("slack-token", "https://hooks.slack.com/services/T0AB/B0CD/" + RANDOM[:24]),
    ("stripe-key", "sk_live_" + RANDOM[:24]),
    ("stripe-key", "whsec_" + RANDOM[:32]),
    ("anthropic-key", "sk-ant-" + "api03-" + RANDOM[:40]),
    ("openai-key", "sk-" + RANDOM[:48]),
    ("openai-key", "sk-proj-" + RANDOM[:48]),
    ("google-key", "AIza" + RANDOM[:35]),
    ("google-key", "GOCSPX-" + RANDOM[:28]),
    ("huggingface-token", "hf_" + "kdmfQpLzRtVwYbNcAsJeGhUioTxKdZzPqW"),
    ("npm-token", "npm_" + RANDOM[:36]),
    ("pypi-token", "pypi-AgE" + RANDOM[:60]),
    ("digitalocean-token", "dop_v1_" + HEX),
    ("sendgrid-key", "SG." + RANDOM[:22] + "." + RANDOM[:43]),
    ("telegram-token", "123456789" + ":AA" + RANDOM[:33]),
    ("vault-token", "hvs." + RANDOM[:24]),
    ("azure-key", "AccountName=a;AccountKey=" + RANDOM[:60] + "=="),
    ("jwt", "eyJhbGciOiJIUzI1NiJ9" + ".eyJzdWIiOiIxMjM0NTY3ODkwIn0." + RANDOM[:43]),
    ("bearer-token", "Authorization: Bearer " + RANDOM[:40]),
    ("url-password", "postgres://app:" + "hT7-kq29zL" + "@db.internal/prod"),
    ("url-password", "https://:" + RANDOM[:20] + "@[::1]/"),
    ("card-number", "4111 1111 " + "1111 1111"),
    ("card-number", "5555-5555-" + "5555-4444"),
    ("card-number", "37828" + "2246310005"),
    ("card-number", "card 6011" + "1111 11111117".replace(" ", "")),
    ("seed-phrase", "legal winner thank year wave sausage worth useful legal winner thank yellow"),
    ("seed-phrase", " ".join(["abandon"] * 23 + ["art"]) + "\n"),
]


@pytest.mark.parametrize(("rule", "text"), SECRETS)
def test_a_secret_is_known_by_its_shape(rule: str, text: str) -> None:
    assert is_secret_value(text) == rule


def test_every_shape_has_an_example() -> None:
    assert {rule for rule, _ in SECRETS} == {*_SHAPES, "card-number", "seed-phrase"}


@pytest.mark.parametrize(
    "text",
    [
        "",
        "main",
        "ftp://a:b@c",  # too short to be worth a look
        "9fceb02d0ae598e95dc970b74767f19372d61af8",
        "123e4567-e89b-12d3-a456-426614174000",
        "sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
        "-----BEGIN CERTIFICATE-----",
        "-----BEGIN PUBLIC KEY-----",
        "the file that begins with PRIVATE KEY",
        "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJx8 ada@example",
        "sk-" + "..." * 5,
        "sk-" + "xxxx" * 12,
        "sk-your-key-goes-here",
        "sk-" + "a1" * 20,  # too few characters that differ
        "ghp_" + "EXAMPLE" + RANDOM[:29],
        "AKIA" + "IOSFODNN7EXAMPLE",
        "${GITHUB_TOKEN}",
        "Bearer <token>",
        "postgres://localhost:5432/app",
        "postgres://user:password@localhost/app",
        "postgres://user:${PASSWORD}@localhost/app",
        "postgres://user:<password>@localhost/app",
        "postgres://app@localhost/app",
        "https://example.org/a?b=c:d@e",
        "1234567812345678",  # the check digit is wrong
        "4111-1111 1111-1111",  # no card is written so
        "1765432100123",
        "v1.4111111111111111.2",
        "Move the parser out of the server and add a test for each of its errors",
        "lint format test docs build check clean demo bench help all ready",
        "legal winner thank year wave sausage worth useful legal winner thank",  # eleven
        "Legal winner thank year wave sausage worth useful legal winner thank yellow",
        "abandon " * 40,
    ],
)
def test_an_ordinary_value_or_a_placeholder_is_none(text: str) -> None:
    assert is_secret_value(text) is None


def test_a_placeholder_hides_no_secret_of_another_kind() -> None:
    text = "sk-" + "xxxx" * 12 + " ghp_" + RANDOM[:36]
    assert is_secret_value(text) == "github-token"


def test_the_words_that_tell_a_list_from_a_seed_phrase_could_stand_in_one() -> None:
    words = _NO_SEED.split()
    assert len(set(words)) == len(words)
    assert [word for word in words if not (3 <= len(word) <= 8 and word.isalpha())] == []


@pytest.mark.parametrize(
    "piece",
    ["eyJ-", "eyJaaaaaaaaa.eyJ", "a://", "a://b:", "4111 ", "SG.aaaaaaaaaaaaaaaaaa.", "sk-"],
)
def test_a_long_text_takes_time_in_proportion_to_its_length(piece: str) -> None:
    text = piece * (200_000 // len(piece))
    start = time.perf_counter()
    assert is_secret_value(text) is None
    assert time.perf_counter() - start < 2  # seconds; it takes a hundredth of that
