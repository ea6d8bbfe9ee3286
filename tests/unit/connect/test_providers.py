"""The kinds of providers as data: what a name may be, and what is needed of each."""

from typing import Any

import pytest

from acp_elicitation.connect.providers import Callback, OAuthProvider, SecretEntry, by_name
from acp_elicitation.connect.secret import Secret

WIKI = SecretEntry(name="wiki", title="The Wiki")
SHOP = Callback(name="shop", page="https://shop.example/pay", reporter="shop", key=Secret("k" * 32))


@pytest.mark.parametrize("name", ["", "GitHub", "a/b", "a b", "-a", "a" * 64, "é", "a\n"])
def test_a_name_stands_in_a_path_so_it_is_plain(name: str) -> None:
    with pytest.raises(ValueError, match="provider name"):
        SecretEntry(name=name)


def test_the_user_reads_the_title_or_else_the_name() -> None:
    assert WIKI.shown == "The Wiki"
    assert SHOP.shown == "shop"


def test_an_oauth_provider_says_where_it_is() -> None:
    assert OAuthProvider(name="a", client_id="me", issuer="https://a.example").scopes == ()
    endpoints: dict[str, Any] = {
        "authorization_endpoint": "https://a.example/go",
        "token_endpoint": "https://a.example",
    }
    OAuthProvider(name="a", client_id="me", **endpoints)
    with pytest.raises(ValueError, match="give its issuer"):
        OAuthProvider(name="a", client_id="me", authorization_endpoint="https://a.example/go")


@pytest.mark.parametrize(
    ("member", "url", "fault"),
    [
        ("issuer", "http://idp.example", "is not https"),
        ("issuer", "http://10.0.0.1", "is not https"),
        ("issuer", "idp.example", "is no plain absolute URL"),
        ("token_endpoint", "http://a.example/token", "is not https"),
        ("token_endpoint", "http://localhost/token", "is not https"),
        ("userinfo_endpoint", "x:/", "is no plain absolute URL"),
        ("revocation_endpoint", "https://a.example/\n", "is no plain absolute URL"),
    ],
)
def test_an_address_that_is_not_https_is_refused_at_once(member: str, url: str, fault: str) -> None:
    given: dict[str, Any] = {"name": "a", "client_id": "me", "issuer": "https://a.example"}
    given[member] = url
    with pytest.raises(ValueError, match=f"provider 'a': its {member} {fault}"):
        OAuthProvider(**given)


def test_a_provider_on_this_machine_needs_no_https() -> None:
    provider = OAuthProvider(name="a", client_id="me", issuer="http://127.0.0.1:9000")
    assert provider.issuer == "http://127.0.0.1:9000"


def test_the_page_of_a_callback_is_https() -> None:
    with pytest.raises(ValueError, match="provider 'shop': its page is not https"):
        Callback(name="shop", page="http://shop.example", reporter="shop", key=Secret("k" * 32))


def test_each_name_is_there_once() -> None:
    assert by_name([WIKI, SHOP]) == {"wiki": WIKI, "shop": SHOP}
    with pytest.raises(ValueError, match="two providers have the name 'wiki'"):
        by_name([WIKI, SecretEntry(name="wiki")])


def test_secrets_are_in_no_repr() -> None:
    github = OAuthProvider(
        name="github", client_id="me", client_secret=Secret("hush-hush"), issuer="https://x.example"
    )
    assert "hush" not in repr(github)
    assert "kkk" not in repr(SHOP)
