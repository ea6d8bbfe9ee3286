"""What secrets are called, in languages that put spaces between words.

Owns: the terms, rule by rule. Knows nothing of: the words around them (see `secret_grammar`), and
how a sentence is judged. Chinese, Japanese and Korean have a module of their own.
Above it: `secret_phrases`, `secrets`. Below it: nothing.

A term is a regular expression in lower case, in which hyphens, underscores and camelCase are
spaces, and each space may be missing in the text: "api key" is also "apikey". Whoever adds a term
adds a piece of it to `STEMS`, where there is none yet, and rows to tests/cases/secrets.jsonl.
"""

from types import MappingProxyType

__all__ = ["NAMES_ONLY", "RUN_TOGETHER", "STEMS", "STRONG", "WEAK"]

_VENDORS = (
    "openai|anthropic|claude|gemini|mistral|deepseek|groq|openrouter|cohere|perplexity|tavily|exa|"
    "serper|serpapi|brave|firecrawl|elevenlabs|replicate|hugging face|hf|xai|grok|fireworks|voyage|"
    "pinecone|weaviate|supabase|stripe|aws|azure|twilio|sendgrid|mailgun|datadog|sentry|algolia|"
    "shodan|virustotal|cloudflare|digitalocean|linear|notion|airtable|pagerduty|new relic|llm"
)

RUN_TOGETHER = MappingProxyType(
    {
        "password": (
            "pass words?",
            "pass phrases?",
            "passwds?",
            "passwrd",
            "pswd",
            "passwort",
            "kennwort",
            "mots? de passe",
            "contraseña",
            "\\bsenha",
            "парол[ьи]",
            "wachtwoord",
            "hasło",
            "heslo",
            "lösenord",
            "passord",
            "adgangskode",
            "salasana",
            "şifre",
            "mật khẩu",
            "kata sandi",
            "كلمة (?:المرور|السر)",
            "पासवर्ड",
            "รหัสผ่าน",
            "סיסמה",
            "(?:require|db|user|smtp|mysql)pass",
        ),
        "passcode": ("pass codes?",),
        "api-key": ("api keys?",),
    }
)
"""Strong terms that may have letters before them: "pgpassword"."""

STRONG = MappingProxyType(
    {
        "one-time-code": (
            "(?:verification|security|one time|single use|auth|authentication|authenticator|"
            "authorization|authorisation|confirmation|log in|sign in|access|2 fa|mfa|two factor|"
            "2 factor|otp|totp|sms|six digit|6 digit|unlock) codes?",
            "one time pass (?:word|code)s?",
            "codes? (?:(?:that|from|in|of|shown|displayed|by|on) ){0,3}"
            "(?:your |the )?authenticator",
            "code (?:from |we sent |sent ).{0,40}\\bsms",
            "código (?:mfa|sms|2fa|de (?:verificación|verificação|seguridad|segurança|autorización|"
            "autorização|dos factores|dois fatores))",
            "code (?:mfa|sms|2fa|de vérification|de sécurité|d'autorisation|à deux facteurs)",
            "codice (?:mfa|sms|2fa|di verifica|di sicurezza|di autorizzazione|a due fattori)",
            "sms code",
            "(?:bestätigungs|sicherheits|autorisierungs|authentifizierungs)code",
            "zwei faktor code",
            "einmal(?:passwort|kennwort|code)",
            "код (?:подтверждения|безопасности|авторизации|mfa|из (?:смс|sms)|двухфакторной)",
            "проверочный код",
        ),
        "recovery": (
            "(?:recovery|back up) codes?",
            "(?:secret )?recovery (?:phrase|key|words?|seed)",
            "seed (?:phrase|words?)",
            "wallet seed",
            "mnemonic (?:phrase|words|seed)",
            "wiederherstellungscode",
            "frase (?:semilla|de recuperación)",
            "phrase de récupération",
            "(?:сид|seed) фраза",
        ),
        "private-key": (
            "private (?:ssh |rsa |pgp |gpg |wallet |signing )?keys?",
            "ssh keys?",
            "tls key",
            "client key",
            "service account key",
            "(?:privater|privaten) schlüssel",
            "clé privée",
            "clave privada",
            "chave privada",
            "chiave privata",
            "(?:закрытый|приватный|секретный) ключ",
        ),
        "secret-key": (
            "(?:client|app|application|consumer|webhook|shared|signing|jwt|session|oauth|api|"
            "cookie) secret",
            "secret (?:access )?keys?",
            "(?:jwt )?signing (?:key|secret)",
            "(?:encryption|decryption|master|hmac|account|storage|shared|pre shared|wallet) keys?",
            "geheimer schlüssel",
            "verschlüsselungs(?:code|schlüssel)",
            "clé de chiffrement",
            "clave de cifrado",
            "chiave di cifratura",
            "chave de (?:criptografia|encriptação)",
            "ключ шифрования",
            "(?:secreto|segreto|segredo|secret) (?:del? |do |d')?(?:cliente?|api)",
            "секрет (?:клиента|api)",
            "секретный код",
            "clé secrète",
            "clave secreta",
            "chave secreta",
            "chiave segreta",
        ),
        "api-key": (
            "api tokens?",
            "access keys?",
            "auth keys?",
            "(?:subscription|application|app) keys?",
            f"(?:{_VENDORS}) (?:api )?keys?",
            "api schlüssel",
            "tokens? (?:da |de |d')?api",
            "jeton (?:d'|de l')api",
            "токен api",
            "clé (?:d'|de l'|de )?api",
            "clave (?:de )?(?:la )?api",
            "chave (?:de |da )?api",
            "chiave (?:di )?api",
            "ключ api",
            "api ключ",
        ),
        "token": (
            "(?:personal )?(?:access|refresh|bearer|auth|authentication|authorization|session|bot|"
            "deploy|deployment|github|gitlab|gh|npm|pypi|slack|hf|hugging face|telegram|discord|"
            "service account|user|admin|login|security|upload) tokens?",
            "personal access tokens?",
            "authorization header",
            "(?:github|gitlab|azure|gh|ado|devops) pat",
            "zugriffstoken",
            "jeton",
            "tokens? (?:personal )?(?:de acceso|de acesso|d'accès|доступа)",
            "токен",
        ),
        "credentials": (
            "credentials?",
            "creds",
            "login (?:details|data|info|information)",
            "zugangsdaten",
            "anmeldedaten",
            "identifiants de connexion",
            "creden(?:ciales|ciais|ziali)",
            "учетные данные",
            "учётные данные",
        ),
        "card": (
            "(?:credit |debit |payment |bank )?card (?:number|num|details|data)",
            "(?:credit|debit|payment) card",
            "card (?:security|verification) (?:code|value|number)",
            "cvv2?",
            "cvc2?",
            "(?:cc|credit card) (?:number|num)",
            "(?:kredit)?kartennummer",
            "prüfnummer",
            "numéro de (?:la )?carte",
            "número de (?:la )?tarjeta",
            "número do cartão",
            "numero d(?:i|ella) carta",
            "номер карты",
        ),
        "bank-account": (
            "iban",
            "bank account(?: numbers?)?",
            "bank details",
            "account numbers?(?=.{0,80}\\bbank\\b)",
            "kontonummer",
        ),
        "pin": (
            "(?:pin|пин) (?:codes?|код)",
            "(?:code|código|codice) pin",
            "pin numbers?",
            "(?:card|user|sim|bank|security|smart card|your|secret) pin",
        ),
        "national-id": ("ssn", "social security number"),
    }
)
"""What secrets are called, rule by rule. Another noun after one asks for it all the same, unless
`HARMLESS_AFTER` has it."""

WEAK = MappingProxyType(
    {
        "one-time-code": ("otp", "totp"),
        "recovery": ("mnemonic",),
        "secret-key": ("secret", "geheimnis", "secreto", "segreto", "segredo", "psk"),
        "api-key": ("(?<=your\\s)keys?",),
        "token": ("token", "jwt", "session cookie"),
        "pin": ("pin(?! to\\b)",),
    }
)
"""Words with other senses too: each counts as the last noun only ("token", not "token limit")."""

NAMES_ONLY = MappingProxyType(
    {
        "password": (
            "pwd",
            "pw",
            "^pass",
            "(?:api|app|auth|admin|db|email|ftp|http|imap|ldap|login|mail|my|mysql|new|old|pg|"
            "postgres|proxy|redis|root|smtp|ssh|sudo|user|vault|wifi) pass",
        ),
        "one-time-code": ("2 fa", "mfa"),
        "token": ("bearer",),
    }
)
"""Abbreviations that mean a secret in the name of a property and nothing much in a sentence."""

STEMS = (
    "pass pwd pw kennwort contraseña senha парол wachtwoord hasło heslo lösenord adgangskode "
    "salasana şifre khẩu sandi كلمة पासवर्ड รหัสผ่าน סיסמה secreto segreto segredo секрет "
    "verschlüssel пин key schlüssel clé clave chave chiave ключ token jeton токен pat bearer jwt "
    "cookie authoriz secret geheim psk pswd 2fa mfa cred zugang anmelde identifiants данные otp "
    "code codice código код pin recovery seed mnemonic semilla récup фраза login card cc cv "
    "karte prüfnummer carte tarjeta cartão carta карты iban bank konto ssn social"
)
"""Some piece of every term. A text without any of them is judged no further."""
