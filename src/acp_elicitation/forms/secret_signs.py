"""Does a phrase ask for a secret, in Chinese, Japanese or Korean?

Owns: the vocabulary and the judging for languages in which what follows a term says what it is
about: 密码 asks, 密码长度 and 存放密钥的环境变量 do not. A *label* asks by naming a secret; *prose*
asks where a clause ends in one, or has a word that asks.
Knows nothing of: properties and their types. Above it: `secrets`. Below it: `secret_phrases`, for
what a finding is.
"""

import re
from collections.abc import Iterator, Mapping
from functools import cache
from types import MappingProxyType
from typing import Literal

from acp_elicitation.forms.secret_phrases import Asked, Manner

__all__ = ["STEMS", "asked_in_signs"]

# Rule by rule, strong terms first. Longer terms stand before those that they contain.
_STRONG = MappingProxyType(
    {
        "one-time-code": (
            "验证码|驗證碼|(?:认证|验证|短信|授权|mfa|2fa) ?代码|授权码|授權碼|动态口令|"
            "动态密码|动态码|動態密碼|一次性密码|一次性口令|一次性密碼|短信码|认证码|認證碼|"
            "(?:認証|確認|mfa|2要素|sms) ?コード|(?:mfa|sms) ?코드|ワンタイムパスワード|"
            "인증 ?번호|인증 ?코드|일회용 ?비밀번호"
        ),
        "pin": (
            "支付密码|支付密碼|交易密码|取款密码|pin ?(?:[码碼]|コード|코드)|핀 ?코드|暗証番号"
        ),
        "password": ("密码|密碼|口令|パスワード|パスフレーズ|비밀번호|패스워드"),
        "recovery": (
            "助记词|助記詞|恢复码|恢复短语|恢复密钥|备用码|恢復碼|備用碼|リカバリーコード|"
            "バックアップコード|シードフレーズ|ニーモニック|복구 ?코드|시드 ?문구|니모닉"
        ),
        "private-key": ("私钥|私鑰|私有密钥|私密金鑰|秘密鍵|개인 ?키|비공개 ?키"),
        "secret-key": (
            "(?:客户端|签名|加密|应用|共享|用戶端)(?:密钥|秘钥|密匙|金鑰)|密鑰|シークレット|"
            "暗号化キー|시크릿|암호화 ?키|보안 ?키"
        ),
        "api-key": (
            "(?:api|接口|访问) ?(?:密钥|秘钥|密匙|金鑰)|密钥|秘钥|密匙|金鑰|api ?キー|"
            "アクセスキー|api ?키"
        ),
        "token": (
            "(?:访问|刷新|个人访问|身份|会话|存取|アクセス|リフレッシュ|액세스 ?)(?:令牌|权杖|"
            "權杖|トークン|토큰)"
        ),
        "credentials": ("凭证|凭据|登入憑證|認証情報|資格情報|자격 ?증명"),
        "card": (
            "(?:信用|银行|借记|銀行)?卡号|信用卡號|卡號|安全代?码|安全碼|cv[vc] ?[码碼]|"
            "カード番号|セキュリティコード|카드 ?번호"
        ),
        "bank-account": ("银行账号|银行账户号码?|银行帐号|銀行帳號|口座番号|계좌 ?번호"),
    }
)
_WEAK = MappingProxyType({"token": "令牌|权杖|權杖|トークン|토큰", "password": "암호"})

STEMS = (
    "密 口令 码 碼 コード パス 暗証 비밀 암호 번호 패스워드 핀 보안 助记 助記 恢复 シード "
    "ニーモニック 코드 문구 니모닉 钥 鑰 匙 鍵 키 キー シークレット 시크릿 令牌 权杖 權杖 "
    "トークン 토큰 凭 憑 認証 資格 자격 卡号 卡號 账号 账户 帐号 帳號 番号"
)
"""Some piece of every term. A text without any of them is judged no further."""

# Right after a term: another thing than the secret. "的", "の" and spaces may stand between.
_HARMLESS_AFTER = (
    "名|id|编号|路径|文件|檔|目录|目錄|变量|變數|环境|字段|欄位|列|长度|長度|位数|"
    "最[小大低高]|策略|原則|规则|要求|强度|复杂|有效|过期|過期|时效|数|數|上限|下限|限制|预算|"
    "类型|類型|格式|算法|哈希|散列|管理|保护|轮换|权限|范围|前缀|后缀|提示|标签|组件|页面|"
    "功能|登录|登入|认证|验证|方式|方法|模式|服务|提供|来源|位置|错误|失败|重置|找回|库|庫|环|"
    "指纹|アドレス|長さ|ファイル|パス(?!ワード|フレーズ)|ポリシー|種類|有効|認証|号|槽|代わり|"
    "대체|文字|桁|을? ?(?:관리|저장)|길이|정책|이름|수|파일|경로"
)
_ASKING = (
    "输入|輸入|填写|填寫|填入|填|提供|粘贴|貼上|键入|发送|发给|發送|告诉|告訴|给出|写下|设置|"
    "設定|需要[您你]|是多少|是什么|是什麼|入力|貼り付け|教えて|입력|알려|붙여"
)
_ASKING_AFTER = (
    "输入|輸入|填写|填寫|填在|填入|粘贴|貼上|发给|发送给|發給|告诉|告訴|是多少|是什么|是什麼|"
    "入力|貼り付け|教えて|입력|알려|붙여"
)
_DENYING = (
    "非$|勿|不要|不得|不应|不可|不能|别|禁止|无需|無需|不需|不用|无须|避免|没有|删除|刪除|"
    "移除|去掉|去除|隐去|脱敏|打码|将提示|会提示|例如|比如|譬如|而不是|而非|不是|不含|"
    "例えば|예를 들어|除"
)
_DENYING_AFTER = "しない|ないで|しては|지 ?마|지 ?않"
# A clause that ends in a term and has one of these before it only talks about it.
_TALKING = (
    "使用|查找|检查|確認|确认|获取|取得|更改|请求|发现|發現|检测|重置|修改|忘记|生成|轮换|"
    "保存|显示|加密|存储|支持|实现|要求|需要|包含|其中|硬编码|如果|若|通过|或者|还是|発見|"
    "リセット|使って|사용|或"
)


def asked_in_signs(text: str, manner: Manner) -> Iterator[Asked]:
    """Give each secret that `text` asks for (FORM-5)."""
    grammar = _grammar()
    for clause in grammar.ends.split(text.lower()):
        for found in grammar.terms.finditer(clause):
            table, _, rule = (found.lastgroup or "").partition("__")
            way = _asking_way(
                clause[max(0, found.start() - _BEFORE) : found.start()],
                clause[found.end() : found.end() + _BEFORE],
                manner=manner,
                weak=table == "weak",
            )
            if way is not None:
                yield Asked(
                    rule=rule.replace("_", "-"),
                    term=found[0],
                    weak=table == "weak",
                    expressly=way == "expressly",
                )


_BEFORE = 100  # characters of a clause that are looked at, before a term


def _asking_way(
    before: str, after: str, *, manner: Manner, weak: bool
) -> Literal["expressly", "by name", None]:
    """Tell how a clause asks for the term that stands between `before` and `after`, if it does."""
    grammar = _grammar()
    if grammar.harmless_after.match(after) or grammar.denying.search(before):
        return None
    if grammar.denied_after.match(after):
        return None
    if grammar.asking.search(before) or grammar.asked_after.match(after):
        return "expressly"
    ends = grammar.nothing.match(after) is not None
    if manner == "prose":
        talks = len(before) > _LONGEST_LABEL or grammar.talking.search(before)
        return "by name" if ends and not talks else None
    return "by name" if ends or not weak else None


_LONGEST_LABEL = 20  # characters before the term


class _Grammar:
    """The vocabulary, compiled on first use."""

    def __init__(self) -> None:
        self.terms = re.compile(f"{_groups('strong', _STRONG)}|{_groups('weak', _WEAK)}")
        self.harmless_after = re.compile(
            rf"[ 的之のを의]*(?:{_HARMLESS_AFTER})|的.{{1,10}}(?:名|路径|文件|变量|字段)"
        )
        self.asking = re.compile(_ASKING)
        self.asked_after = re.compile(rf".{{0,6}}(?:{_ASKING_AFTER})")
        self.denied_after = re.compile(rf".{{0,8}}(?:{_DENYING_AFTER})")
        self.denying = re.compile(_DENYING)
        self.talking = re.compile(_TALKING)
        self.ends = re.compile(
            r"[\uff0c\u3002\uff01\uff1f\uff1b\uff1a\uff08\uff09()\[\]\u3010\u3011!?;\n]|[,.:](?=\s|$)"
        )
        self.nothing = re.compile(r"[\s*」』\"”]*$")


def _groups(table: str, rules: Mapping[str, str]) -> str:
    return "|".join(
        f"(?P<{table}__{rule.replace('-', '_')}>{terms})" for rule, terms in rules.items()
    )


@cache
def _grammar() -> _Grammar:
    return _Grammar()
