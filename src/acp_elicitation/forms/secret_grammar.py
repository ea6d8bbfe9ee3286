"""The words around a secret that say whether it is asked for, in languages with spaces.

Owns: the words that make another thing of a term ("password *policy*", "*stop* token"), that ask
("*enter* your password"), that deny ("*never* your password"), and that only talk about it.
Knows nothing of: what secrets are called (see `secret_words`), and how a sentence is judged.
Above it: `secret_phrases`. Below it: nothing.

English first, with the most frequent words of German, French, Spanish, Portuguese, Italian and
Russian. All are in lower case. Where a list has a bar in it, it is a regular expression.
"""

from types import MappingProxyType

__all__ = [
    "ASKED",
    "ASKING",
    "ASKING_ANYWHERE",
    "BLOCKING",
    "DENYING",
    "DETERMINERS",
    "ELSEWHERE",
    "FOLLOWING",
    "HARMLESS_AFTER",
    "HARMLESS_BEFORE",
    "PLACING",
    "TELLING",
    "TRANSPARENT",
]

HARMLESS_BEFORE = MappingProxyType(
    {
        "token": (
            "stop start end eos bos sep pad padding unk unknown mask special separator design css "
            "color colour syntax lexer lexical parser next page pagination cancellation cancel "
            "continuation continue cursor sync placeholder template input output prompt completion "
            "context max min maximum minimum nft erc20 governance native gas fungible stream"
        ),
        "pin": (
            "led gpio data clock analog digital cs sda scl rx tx mosi miso irq reset input output "
            "board header servo sensor relay button map drop push rolling safety which to"
        ),
        "otp": "erlang elixir",
        "mnemonic": "opcode instruction assembly assembler",
        "key": "public primary foreign publishable sort cache",
    }
)
"""What may stand right before a term and makes another thing of it: "stop token"."""

HARMLESS_AFTER = (
    "names? ids? identifiers? path file filename files location folder directory dir env "
    "environment variables? vars? polic(?:y|ies) min max minimum maximum length limits? count "
    "type kind format algorithm hash hashes hashing digest fields? columns? label hint "
    "placeholder prompt title description comment note headers? prefix suffix url uri endpoint "
    "page link route screen form reset rotation expiry expiration expires lifetime ttl age "
    "validity permissions? scopes? role owner provider issuer manager vault store storage source "
    "helper process command cmd script callback handler service refs? references? arn alias "
    "profile ring fingerprint thumbprint checksum size bits strength complexity requirements? "
    "rules? checks? checker validation validator authentication auth authorization login logins "
    "based protected protection support usage feature flow methods? mode mechanism strategy "
    "options? settings? status state errors? messages? attempts retries toggle visibility "
    "generator generation template pattern regex list index table class module function "
    "parameters? arguments? params? attribute property tags? versions? tab button component "
    "dialog emails? subject sharing exchange leaks? tests? cases? region namespace backend engine "
    "cache history cookie dn sha brand layout symbol address contract country input"
)
"""Nouns that make another thing of the term before them: "password policy"."""

FOLLOWING = (
    "for of to from in into on at by with as via per that which who used required needed here "
    "again below above please optional is are was will must should can and or if when value "
    "values content contents text string data hex pem json confirm confirmation repeat classic "
    "confirmed starting beginning set sent given shown found you we it now de del der des di du "
    "für para von ein eingeben hinzu"
)
"""What may follow a weak term that still is what is asked for: "token for the registry"."""

TELLING = "is are was were will has have had must can cannot may might should would does"
"""Verbs after a term at the start of a sentence, which then tells something about it."""

TRANSPARENT = (
    "value values content contents text base64 hex copy one all part string rest body encoding "
    "characters words plaintext details"
)
"""Nouns that with "of" mean the thing itself: "the value of the password"."""

DETERMINERS = "the a an your my our this any some"
"""What a label may begin with. In its middle they show that it is a sentence."""

BLOCKING = (
    "of for with to from in into on onto at by about as per via using against through within "
    "inside under over between during until till before after since without that which who whom "
    "whose where when while if whether because so unless although but than i we he she they it do "
    "does did is are was were be been being has have had will would could should may might must "
    "shall can how why what their his her users customers people someone there de du des del "
    "della da dos von der dem den um für pour para di store save show hide forgot forget remember "
    "reset rotate scan use uses require requires needs need generate create revoke delete check "
    "validate verify test hash encrypt decrypt log mask manage handle find found read load fetch "
    "get hold holds contain contains keep keeps print prints mint sign protect support supports "
    "allow enable disable skip implement refactor rename fix replace describe explain document "
    "migrate move expired expire invalid wrong missing leaked exposed coded incorrect"
)
"""Words after which a term is talked about: prepositions, pronouns, verbs that do not ask."""

DENYING = (
    "not never don't doesn't won't cannot can't no without avoid exclude excluding remove omit "
    "strip delete redact except instead rather unlike besides nothing none example such like "
    "similar nicht kein keine keinen ohne ne pas jamais nunca sin sans não nem не никогда без non "
    "mai senza"
)
"""Words that deny what follows them, or only give an example."""

ASKING = (
    "enter|re enter|reenter|provide|paste|type(?: in)?|input|supply|specify|give|fill (?:in|out)|"
    "insert|submit|send|update|share|tell|write|confirm|repeat|retype|set|choose|pick|copy|put|"
    "add|(?:reply|answer|respond) (?:with|by typing)"
)
"""Verbs that ask where they stand at the start of a sentence or after one of `ASKED`."""

ASKED = (
    "please|kindly|bitte|now|then|and|or|just|simply|"
    "(?<!where )(?<!when )(?<!if )(?<!that )(?<!once )you|(?:you|need|have|required|asked|us|"
    "like) to|you (?:must|should|can|could|may|will)"
)
"""What may stand right before a verb that asks. The start of a sentence and a comma do as well."""

ASKING_ANYWHERE = (
    "what is|what's|what are|(?:i|we)(?:'ll| will| do)? (?:also |just |still )?(?:need|require|"
    "want)|(?:needs?|requires?|wants?|asks?(?: you)? for|ask(?:ed|s|ing)? you for|"
    "prompts? you for) your|(?:url|uri|dsn|connection string) (?:with|including|containing|"
    "that (?:contains|includes))|by entering|^(?:including|with)"
)
"""Phrases that ask wherever they stand."""

PLACING = "add|put|set|copy|write|update"
"""Verbs of `ASKING` that may also tell where else the person should put the secret."""

ELSEWHERE = (
    "[^,]*\\byourself\\b|"
    " *(?:to|in|into|as) +(?!this\\b|here\\b|the (?:field|box|form|input|answer))"
)
"""What tells so, after the term: "add your API key to .env"."""
