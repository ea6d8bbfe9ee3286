"""May an agent ask its user to open this URL of its own?"""

import pytest

from acp_elicitation.links.own import check_own_link
from acp_elicitation.protocol.errors import MisuseError, UnsafeLink


def refusal(url: str) -> UnsafeLink:
    with pytest.raises(UnsafeLink) as caught:
        check_own_link(url)
    return caught.value


@pytest.mark.requirement("URL-9", "URL-14")
@pytest.mark.parametrize(
    "url",
    [
        "https://agent.example.com/connect?elicitationId=github-oauth-001",
        "https://agent.example.com:8444/connect/8f14e45f-ceea-467f-a0e6-9b7e3a1c2d4f",
        "https://m\xfcnchen.example/connect",
        "https://10.0.0.5/connect?state=Zm9vYmFyYmF6cXV4",
        "http://127.0.0.1:8123/connect/abc",
        "http://localhost:8123/?provider=github&client_id=abc",
        "https://agent.example.com/connect?sessionId=sess_1",
    ],
)
def test_a_page_of_its_own_with_an_opaque_id_is_fine(url: str) -> None:
    assert check_own_link(url) is None  # type: ignore[func-returns-value]


@pytest.mark.requirement("URL-14")
@pytest.mark.parametrize(
    ("url", "where", "reason"),
    [
        ("/connect?x=1", "the link", "it is not an absolute URL"),
        ("", "the link", "no browser can open it"),
        ("https://", "the link", "no browser can open it"),
        ("https://xn--a/", "the link", "no browser can open it"),
        ("vscode://extension/x", "the link", "it is neither https nor http"),
        ("https://example.com/ a", "the link", "a space or a control character is in it"),
        ("https://example.com/\u202e", "the link", "an invisible or blank character is in it"),
        ("https:example.com", "the link", "a browser would change it, so clients refuse it"),
        (
            "https://u:p@example.com/",
            "the host",
            "a user name or a password stands before it",
        ),
    ],
    ids=ascii,
)
def test_what_no_client_would_open_is_refused(url: str, where: str, reason: str) -> None:
    error = refusal(url)
    assert (error.where, error.reason) == (where, reason)
    assert error.instead
    assert isinstance(error, MisuseError)


@pytest.mark.requirement("URL-9")
@pytest.mark.parametrize("url", ["http://example.com/connect", "http://192.168.1.2:8000/"])
def test_plain_http_to_another_machine_is_refused(url: str) -> None:
    assert refusal(url).where == "the scheme"


@pytest.mark.requirement("URL-14")
@pytest.mark.parametrize(
    "url",
    [
        "https://github.com/login/oauth/authorize?client_id=abc",
        "https://idp.example/go?client_id=abc&redirect_uri=https%3A%2F%2Fagent.example%2Fcb",
        "https://idp.example/go?response_type=code",
        "https://idp.example/sso?SAMLRequest=abc",
        "http://localhost:9000/auth?client_id=abc",
    ],
)
def test_the_authorization_page_of_a_provider_is_refused(url: str) -> None:
    error = refusal(url)
    assert error.where == "the page"
    assert "connect page" in error.instead


@pytest.mark.requirement("URL-9")
@pytest.mark.parametrize(
    ("query", "where", "reason"),
    [
        ("?access_token=s3cr3t", "parameter access_token", "a credential does not belong"),
        ("?a=AKIAQ3EGVTZ7WXRMNP5L", "parameter a", "a credential does not belong"),
        ("#id_token=s3cr3t", "parameter id_token", "a credential does not belong"),
        ("?session=s3cr3t", "parameter session", "the link would let in"),
        ("?email=s3cr3t", "parameter email", "personal data does not belong"),
        ("/s3cr3t@mail.example", "the path or query", "personal data does not belong"),
    ],
)
def test_credentials_access_and_personal_data_are_refused_without_repeating_them(
    query: str, where: str, reason: str
) -> None:
    error = refusal(f"https://agent.example.com/{query}")
    assert error.where == where
    assert error.reason.startswith(reason)
    for value in ("s3cr3t", "AKIA", "agent.example.com"):
        assert value not in str(error)
