"""Phrases in Chinese, Japanese and Korean: what asks for a secret and what only mentions one."""

import pytest

from acp_elicitation.forms.secret_phrases import Manner
from acp_elicitation.forms.secret_signs import asked_in_signs

pytestmark = pytest.mark.requirement("FORM-5")


def rules(text: str, manner: Manner) -> list[str]:
    return [asked.rule for asked in asked_in_signs(text, manner)]


@pytest.mark.parametrize(
    ("label", "rule"),
    [
        ("密码", "password"),
        ("口令", "password"),
        ("数据库密码（可选）", "password"),
        ("密码是 root 用户的", "password"),
        ("API 密钥", "api-key"),
        ("令牌", "token"),
        ("访问令牌", "token"),
        ("短信验证码", "one-time-code"),
        ("PIN 码", "pin"),
        ("支付密码", "pin"),
        ("私钥", "private-key"),
        ("签名密钥", "secret-key"),
        ("助记词", "recovery"),
        ("凭据", "credentials"),
        ("信用卡号", "card"),
        ("CVV 码", "card"),
        ("银行账号", "bank-account"),
        ("パスワード", "password"),
        ("暗証番号", "pin"),
        ("비밀번호", "password"),
        ("인증 번호", "one-time-code"),
    ],
)
def test_a_label_asks_by_naming_a_secret(label: str, rule: str) -> None:
    assert rules(label, "label") == [rule]


@pytest.mark.parametrize(
    "label",
    [
        "密码长度",
        "密码的最小长度",
        "密码策略",
        "令牌上限",
        "令牌环网络",
        "令牌游戏",
        "存放 API 密钥的环境变量",
        "保存密钥的 Secret 名称",
        "公钥",
        "主键",
        "例如密码",
        "パスワードの長さ",
        "最大トークン数",
        "최대 토큰 수",
    ],
)
def test_a_label_of_another_thing_asks_for_none(label: str) -> None:
    assert rules(label, "label") == []


@pytest.mark.parametrize(
    "prose",
    [
        "请输入您的密码以继续。",
        "把访问令牌发给我。",
        "收到的验证码是多少？",
        "请提供服务器的登录密码。",
        "パスワードを入力してください。",
        "비밀번호를 입력하세요.",
    ],
)
def test_a_sentence_asks_with_a_verb_before_or_after(prose: str) -> None:
    [asked] = asked_in_signs(prose, "prose")
    assert asked.expressly


@pytest.mark.parametrize("prose", ["用于连接数据库的密码", "sudo 密码：", "令牌"])
def test_a_clause_that_is_the_name_of_a_secret_asks_by_naming_it(prose: str) -> None:
    [asked] = asked_in_signs(prose, "prose")
    assert not asked.expressly


@pytest.mark.parametrize(
    "prose",
    [
        "密码将从环境变量读取，无需在此填写。",
        "请勿在此输入密码。",
        "粘贴前请删除其中的令牌和密码",
        "在代码里发现了硬编码的密码",
        "密码由系统生成并保管",
        "这个在很多很多很多很多很多很多很多情况下都会用到的密码",
        "请输入私钥的路径。",
        "パスワードを入力しないでください",
        "비밀번호를 입력하지 마세요",
    ],
)
def test_a_mention_is_no_request(prose: str) -> None:
    assert rules(prose, "prose") == []


def test_a_word_with_other_senses_is_a_weak_one() -> None:
    [token] = asked_in_signs("令牌", "label")
    [password] = asked_in_signs("密码", "label")
    assert (token.weak, password.weak) == (True, False)
