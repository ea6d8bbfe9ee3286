"""Which forms ask for a secret: the labelled collection, and what each place of a form means."""

import time
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from acp_elicitation.forms import secrets
from acp_elicitation.forms.secrets import SecretFinding, find_secrets, is_marked, takes_long
from acp_elicitation.protocol.schema import (
    BooleanProperty,
    FormSchema,
    IntegerProperty,
    MultiSelectProperty,
    NumberProperty,
    Option,
    Property,
    SelectProperty,
    StringProperty,
    UnknownProperty,
)
from tools.secrets_table import Row, judge, read_rows

pytestmark = pytest.mark.requirement("FORM-5")

ROWS = read_rows()
# Ordinary wording that is refused all the same. Each is one of the 2 % that may be.
REFUSED_WRONGLY = {"en-425", "en-447"}


def form(**members: Property) -> FormSchema:
    return FormSchema(properties=members)


def places(message: str, schema: FormSchema, **options: Any) -> list[tuple[str, str]]:
    return [(it.property, it.where) for it in find_secrets(message, schema, **options)]


@pytest.mark.parametrize("row", ROWS, ids=[row.case for row in ROWS])
def test_a_labelled_field_is_judged_as_its_label_says(row: Row) -> None:
    expected = "secret" if row.case in REFUSED_WRONGLY else row.verdict
    assert judge(row) == expected


def test_the_collection_is_large_and_names_no_field_twice() -> None:
    assert len(ROWS) >= 300
    assert len({row.case for row in ROWS}) == len(ROWS)
    assert {row.verdict for row in ROWS} == {"secret", "fine"}


def test_fewer_than_two_in_a_hundred_ordinary_fields_are_refused() -> None:
    fine = [row for row in ROWS if row.verdict == "fine"]
    assert {row.case for row in fine} >= REFUSED_WRONGLY
    assert len(REFUSED_WRONGLY) < 0.02 * len(fine)


def test_a_finding_says_which_property_which_rule_and_where() -> None:
    schema = form(
        host=StringProperty(title="Host"),
        db_password=StringProperty(title="Login", description="Enter your password"),
    )
    assert find_secrets("Connect", schema) == [
        SecretFinding(property="db_password", rule="password", where="name", term="password"),
        SecretFinding(
            property="db_password", rule="password", where="description", term="password"
        ),
    ]


def test_a_place_gives_one_finding_however_often_it_asks() -> None:
    schema = form(a=StringProperty(title="Password, PIN code and API key"))
    assert places("", schema) == [("a", "title")]


@pytest.mark.parametrize(
    ("member", "asks"),
    [
        (StringProperty(), True),
        (UnknownProperty(type="object"), True),
        (IntegerProperty(), False),
        (NumberProperty(), False),
        (BooleanProperty(), False),
        (SelectProperty(options=(Option(value="a"),)), False),
        (MultiSelectProperty(options=(Option(value="a"),)), False),
    ],
)
def test_only_what_takes_text_can_take_a_password(member: Property, asks: bool) -> None:
    assert bool(find_secrets("Enter your password", form(answer=member))) is asks
    assert bool(find_secrets("", form(password=member))) is asks


@pytest.mark.parametrize("member", [IntegerProperty(), NumberProperty()])
@pytest.mark.parametrize(
    "name", ["pin_code", "otp", "cvv", "card_number", "iban", "passcode", "ssn"]
)
def test_a_number_can_be_a_secret_that_is_made_of_digits(member: Property, name: str) -> None:
    assert places("", form(**{name: member})) == [(name, "name")]


def test_a_message_that_asks_for_a_number_needs_a_field_for_it() -> None:
    assert places("Enter the PIN code", form(a=IntegerProperty())) == [("", "message")]
    assert places("Enter the PIN code", form(a=BooleanProperty())) == []
    assert places("Enter the PIN code", FormSchema(properties={})) == []


def test_a_name_that_a_message_or_title_only_mentions_needs_a_field_without_wording() -> None:
    own = form(scope=StringProperty(title="Scopes"))
    bare = form(scope=StringProperty())
    assert places("New access token", own) == []
    assert places("New access token", bare) == [("", "message")]
    titled = FormSchema(properties=own.properties, title="Access token", description="API key")
    assert places("", titled) == []
    bare_titled = FormSchema(
        properties=bare.properties, title="Access token", description="API key"
    )
    assert places("", bare_titled) == [("", "title"), ("", "description")]


def test_a_description_of_the_form_may_ask_whatever_the_fields_are_called() -> None:
    schema = FormSchema(
        properties={"a": StringProperty(title="Answer")}, description="Paste your API key below."
    )
    assert places("", schema) == [("", "description")]


@pytest.mark.parametrize(
    ("reviewed", "left"),
    [
        ((), [("", "message"), ("pin", "name"), ("pin", "title"), ("key", "title")]),
        (("pin",), [("", "message"), ("key", "title")]),
        (("",), [("pin", "name"), ("pin", "title"), ("key", "title")]),
        (("pin", "key"), []),  # nobody is left who could take what the message asks for
    ],
)
def test_what_a_developer_has_reviewed_is_left_alone(
    reviewed: tuple[str, ...], left: list[tuple[str, str]]
) -> None:
    schema = form(pin=StringProperty(title="PIN"), key=StringProperty(title="API key"))
    assert places("Enter your PIN and your API key", schema, reviewed=reviewed) == left


@pytest.mark.parametrize(
    ("name", "member", "asks"),
    [
        ("token", StringProperty(title="Stop token"), False),
        ("token", StringProperty(title="Token"), True),
        ("token", StringProperty(title="Answer"), True),
        ("token", StringProperty(description="Which token ends the prompt?"), False),
        ("token", StringProperty(), True),
        ("pwd", StringProperty(title="Working directory"), False),
        ("pwd", StringProperty(title="For the database"), True),
        ("ssh_key", StringProperty(title="Path of the SSH key"), False),
        ("ssh_key", StringProperty(title="About the SSH key of the server"), True),
        ("ssh_key", StringProperty(), True),
        ("api_key", StringProperty(description="Path of the API key"), True),
        ("value", StringProperty(title="Private key file", description="Your private key"), False),
        ("private_key_file", StringProperty(description="Your private key"), False),
        ("value", StringProperty(title="PIN code file", description="Enter the PIN code"), True),
        ("value", StringProperty(title="File name", description="Your private key"), True),
    ],
)
def test_one_text_of_a_field_may_explain_another(name: str, member: Property, asks: bool) -> None:
    assert bool(find_secrets("", form(**{name: member}))) is asks


@pytest.mark.parametrize("format", ["password", "api-key", "credit-card-number", "otp"])
def test_a_format_can_ask_for_a_secret(format: str) -> None:
    assert places("", form(a=StringProperty(format=format))) == [("a", "format")]


@pytest.mark.parametrize("format", ["email", "uri", "date", "date-time", "token-limit", None])
def test_other_formats_ask_for_none(format: str | None) -> None:
    assert find_secrets("", form(a=StringProperty(format=format))) == []


@pytest.mark.parametrize("mark", ["writeOnly", "isSecret", "sensitive", "x-secret"])
def test_what_the_agent_marks_as_secret_is_one_whatever_its_type(mark: str) -> None:
    marked = [SecretFinding(property="a", rule="marked", where="type", term=mark)]
    assert find_secrets("", form(a=StringProperty(raw={mark: True}))) == marked
    assert find_secrets("", form(a=BooleanProperty(raw={mark: True}))) == marked
    assert places("", form(a=StringProperty(meta={mark: True}))) == [("a", "meta")]


@pytest.mark.parametrize("value", [False, None, "true", 1])
def test_a_mark_that_is_not_true_is_none(value: object) -> None:
    assert find_secrets("", form(a=StringProperty(raw={"writeOnly": value}))) == []
    assert find_secrets("", form(a=StringProperty(meta={"isSecret": value}))) == []


TOKEN = "ghp_" + "x9Kd83mfQ0pLzR4tVwY7bNcA1sJeGhUi52oT"


@pytest.mark.parametrize(
    ("member", "where"),
    [
        (StringProperty(default=TOKEN), "default"),
        (IntegerProperty(default=4111_1111_1111_1111), "default"),
        (NumberProperty(default=4111_1111_1111_1111), "default"),
        (SelectProperty(options=(Option(value=TOKEN),)), "option"),
        (MultiSelectProperty(options=(Option(value="a", title=TOKEN),)), "option"),
    ],
)
def test_a_value_that_is_a_secret_is_found_and_never_repeated(member: Property, where: str) -> None:
    [finding] = find_secrets("", form(a=member))
    assert (finding.property, finding.where) == ("a", where)
    assert finding.term == finding.rule
    assert TOKEN not in repr(finding)
    assert "4111" not in repr(finding)


@pytest.mark.parametrize(
    "member",
    [
        StringProperty(default="main"),
        StringProperty(),
        IntegerProperty(default=5432),
        NumberProperty(default=0.5),
        BooleanProperty(default=True),
        UnknownProperty(type="object"),
        SelectProperty(options=(Option(value="a", title="A"),), default="a"),
    ],
)
def test_an_ordinary_value_is_none(member: Property) -> None:
    assert find_secrets("", form(a=member)) == []


@pytest.mark.parametrize(
    "title",
    [
        "\uff30\uff21\uff33\uff33\uff37\uff2f\uff32\uff24",  # full-width letters
        "Pass\u200bword",
        "Pass\u00adword",
        "\u8bf7\u8f93\u5165password",  # Chinese without a space before the word
    ],
)
def test_characters_that_look_alike_or_cannot_be_seen_hide_nothing(title: str) -> None:
    assert places("", form(a=StringProperty(title=title))) == [("a", "title")]


def test_an_ordinary_form_is_judged_within_microseconds() -> None:
    """About 17 us on the machine of the developer; the bound is for a busy one."""
    schema = form(
        strategy=SelectProperty(title="Strategy", options=(Option(value="a"), Option(value="b"))),
        dry_run=BooleanProperty(title="Dry run", description="Only show the difference"),
        branch=StringProperty(title="Branch", default="main"),
        max_files=IntegerProperty(title="Maximum number of files", default=20),
        notes=StringProperty(title="Notes", description="Anything else that matters"),
    )
    took = []
    for _ in range(200):
        start = time.perf_counter()
        assert find_secrets("How should I approach this refactoring?", schema) == []
        took.append(time.perf_counter() - start)
    assert min(took) < 100e-6


@pytest.mark.parametrize(
    "piece",
    ["never password ", "enter name of the password, ", "token", "-", "password '\"", "code from "],
)
def test_a_long_text_takes_time_in_proportion_to_its_length(piece: str) -> None:
    text = "password " + piece * (50_000 // len(piece))
    schema = FormSchema(properties={"a": StringProperty(title=text), text: StringProperty()})
    start = time.perf_counter()
    find_secrets(text, schema)
    assert time.perf_counter() - start < 10  # seconds; it takes one, and would take hundreds


def test_only_a_bounded_number_of_short_wordings_is_kept() -> None:
    limit = secrets._judge.cache_info().maxsize
    assert limit is not None
    for number in range(limit + 10):
        find_secrets(f"Token limit {number}", form(a=StringProperty()))
    assert secrets._judge.cache_info().currsize == limit
    before = secrets._judge.cache_info()
    assert places("word " * 200 + ". Enter your password", form(a=StringProperty())) == [
        ("", "message")
    ]
    after = secrets._judge.cache_info()
    assert (after.hits, after.misses) == (before.hits, before.misses)


@given(text=st.text(), name=st.text(), title=st.text(alphabet="password token\u5bc6\u7801 -_'?."))
def test_any_text_gives_a_verdict(text: str, name: str, title: str) -> None:
    schema = FormSchema(
        properties={name: StringProperty(title=title, description=text, default=text)}, title=title
    )
    for finding in find_secrets(text, schema):
        assert finding.property in {"", name}


def test_the_middle_of_a_very_long_wording_is_left_out() -> None:
    form = FormSchema(properties={"x": StringProperty()})
    filler = "words and " * 1_000
    for message in (f"Enter your password. {filler}", f"{filler} Enter your password."):
        assert [one.rule for one in find_secrets(message, form)] == ["password"]
    assert find_secrets(f"{filler}. Enter your password. {filler}", form) == []


@pytest.mark.parametrize(
    ("member", "marked"),
    [
        (StringProperty(meta={"secret": True}), True),
        (UnknownProperty(type="_x", raw={"type": "_x", "writeOnly": True}), True),
        (StringProperty(meta={"secret": False}), False),
        (StringProperty(title="Password", format="password"), False),
    ],
)
def test_a_property_is_marked_where_the_agent_itself_says_so(
    member: Property, marked: bool
) -> None:
    assert is_marked(member) is marked


WORDS = "x" * 5_000


@pytest.mark.parametrize(
    "schema",
    [
        FormSchema(properties={}, title=WORDS),
        FormSchema(properties={}, description=WORDS),
        form(**{WORDS: BooleanProperty()}),
        form(a=NumberProperty(title=WORDS)),
        form(a=UnknownProperty(type="_x", raw={}, description=WORDS)),
        form(a=StringProperty(default=WORDS), b=StringProperty()),
        form(a=SelectProperty(options=(Option(value="a", title=WORDS),))),
        form(a=MultiSelectProperty(options=(Option(value=WORDS),))),
    ],
    ids=["title", "description", "name", "label", "words", "default", "option", "options"],
)
def test_a_form_takes_long_by_the_length_of_what_is_judged(schema: FormSchema) -> None:
    assert takes_long("", schema)


def test_a_form_of_few_words_does_not_take_long() -> None:
    few = form(
        a=StringProperty(title="Name", description="Yours"),
        b=SelectProperty(options=(Option(value="a", title="A"),)),
        c=BooleanProperty(),
    )
    assert not takes_long("Who are you?", few)
    assert takes_long(WORDS, few)
