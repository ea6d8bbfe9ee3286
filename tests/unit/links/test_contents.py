"""What a URL carries besides its way."""

import pytest

from acp_elicitation.links.contents import Carried, find_contents, parameters

JWT = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9P"
AWS = "AKIAQ3EGVTZ7WXRMNP5L"
GITHUB = "ghp_R7tq2LkX9vBn4WcE1yZs8JmUo5HdPa3GfKi6"


def found(rest: str) -> list[tuple[str, str | None]]:
    return [(it.kind, it.name) for it in find_contents(rest)]


@pytest.mark.parametrize(
    "rest",
    [
        "",
        "/",
        "/connect?elicitationId=github-oauth-001",
        "/connect/8f14e45f-ceea-467f-a0e6-9b7e3a1c2d4f?state=Zm9vYmFyYmF6cXV4&id=17#top",
        "/?sessionId=sess_abc123&requestId=3",
        "/?token=&password=&session=&email=",
        "/?page_token=abc&nextPageToken=abc&csrf_token=abc&max_tokens=5",
        "/?code=DE&lang=en&name=demo&key=a&user=42",
        "/?code=WDJB-MJHT",
        "/npm/lodash@4.17.js",
        "/@user/page@home",
        "/?q=a@b&n=5551234567",
        "/?url=https%3A%2F%2Fexample.org%2F%3Fa%3Db",
        "/?&&=&;",
    ],
)
def test_an_ordinary_url_carries_nothing(rest: str) -> None:
    assert found(rest) == []


@pytest.mark.requirement("URL-9")
@pytest.mark.parametrize(
    "name",
    [
        "token",
        "access_token",
        "accessToken",
        "ACCESS-TOKEN",
        "refresh_token",
        "id_token",
        "auth_token",
        "setup_token",
        "api_key",
        "apikey",
        "x-api-key",
        "password",
        "user_password",
        "pwd",
        "pass",
        "secret",
        "client_secret",
        "jwt",
        "credential",
        "otp",
        "SAMLResponse",
        "X-Amz-Signature",
        "X-Goog-Credential",
        "AWSAccessKeyId",
    ],
)
def test_what_is_named_like_a_credential_is_a_secret(name: str) -> None:
    for rest in (f"/cb?a=b&{name}=x", f"/cb?{name}=x", f"/cb#{name}=x", f"/#/route?{name}=x"):
        assert found(rest) == [("secret", name)]


@pytest.mark.requirement("URL-9")
@pytest.mark.parametrize("value", [JWT, AWS, GITHUB])
def test_what_is_shaped_like_a_credential_is_a_secret_under_any_name(value: str) -> None:
    assert found(f"/?ref={value}") == [("secret", "ref")]
    assert found(f"/?{value}") == [("secret", None)]
    assert found(f"/#{value}") == [("secret", None)]
    assert found(f"/hook/{value}/x") == [("secret", None)]


@pytest.mark.requirement("URL-9")
def test_an_authorization_code_is_a_secret() -> None:
    assert found("/cb?code=SplxlOBeZQQYbYS6WxSbIA&state=x") == [("secret", "code")]


@pytest.mark.requirement("URL-9")
@pytest.mark.parametrize("name", ["session", "sid", "auth", "PHPSESSID", "magic_link", "ticket"])
def test_what_is_named_like_a_session_lets_somebody_in(name: str) -> None:
    assert found(f"/?{name}=abc") == [("access", name)]


@pytest.mark.requirement("URL-9")
@pytest.mark.parametrize(
    "name",
    [
        "email",
        "e-mail",
        "userEmail",
        "phone",
        "phone_number",
        "tel",
        "ssn",
        "dob",
        "first_name",
        "lastname",
        "username",
        "login_hint",
        "street_address",
    ],
)
def test_what_is_named_like_personal_data_is_personal(name: str) -> None:
    assert found(f"/?{name}=abc") == [("personal", name)]


@pytest.mark.requirement("URL-9")
@pytest.mark.parametrize(
    "text",
    [
        "ada@example.org",
        "ada%40example.org",
        "ada%2540example.org",
        "mail:ada.l%2Bx@mail.example",
        "%2B49%20151%201234567",
        "078-05-1120",
    ],
)
def test_what_is_shaped_like_personal_data_is_personal_anywhere(text: str) -> None:
    assert found(f"/?who={text}") == [("personal", "who")]
    assert found(f"/u/{text}/x") == [("personal", None)]
    assert [kind for kind, _ in found(f"/#{text}")] == ["personal"]


@pytest.mark.requirement("URL-9")
def test_a_url_within_a_parameter_is_looked_into() -> None:
    inner = "https%3A%2F%2Fexample.org%2Fcb%3Faccess_token%3Dabc"
    assert found(f"/?next={inner}") == [("secret", "access_token")]
    assert found("/?state=a%3Db%26password%3Dc") == [("secret", "password")]
    assert found(f"/?a=https%3A%2F%2Fx%2F%3Fb%3D{inner.replace('%', '%25')}") == [
        ("secret", "access_token")
    ]


def test_but_not_without_end() -> None:
    deep = "token=x"
    for _ in range(3):
        deep = f"a={deep.replace('%', '%25').replace('=', '%3D')}"
    assert found(f"/?{deep}") == []


def test_each_thing_is_told_once_and_a_name_unfit_to_be_shown_is_left_out() -> None:
    assert found("/?token=a&token=b") == [("secret", "token")]
    assert found("/?p%C3%A4-token=a&" + "x" * 60 + "token=b") == [("secret", None)]
    assert list(find_contents("/?token=a")) == [Carried(kind="secret", name="token")]


def test_parameters_are_those_of_query_and_fragment_decoded() -> None:
    assert list(parameters("/p;x=1?a=b+c&d;e=%26#/route?f=g%3D")) == [
        ("a", "b c"),
        ("d", ""),
        ("e", "&"),
        ("f", "g="),
    ]
    assert list(parameters("/#g=h")) == [("g", "h")]
    assert list(parameters("/")) == []
