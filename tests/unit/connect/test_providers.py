"""The kinds of providers as data: what a name may be, and what is needed of each."""

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
    OAuthProvider(name="a", client_id="me", authorization_endpoint="x", token_endpoint="y")
    with pytest.raises(ValueError, match="give its issuer"):
        OAuthProvider(name="a", client_id="me", authorization_endpoint="https://a.example/go")


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
