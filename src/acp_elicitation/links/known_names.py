"""Names that links are dressed up as: those of services that an agent's user logs in to.

Owns: the list, and the words that lure. It is short on purpose: each name is one for which a
lookalike is worth a warning to everybody.
Knows nothing of: how names are compared. Above it: `lookalikes`, `spoofing`. Below it: nothing.
"""

__all__ = ["KNOWN_NAMES", "LURES"]

_NAMES = """
1password adobe airbnb airtable alibaba alipay aliexpress amazon anthropic apple asana atlassian
auth0 azure baidu bankofamerica barclays binance bitbucket bitwarden booking capitalone chatgpt
citibank claude cloudflare coinbase confluence cursor databricks datadog deepseek digitalocean
discord docker docusign dropbox ebay example expedia facebook fedex figma firefox github gitlab
gmail google googleapis googlemail heroku hotmail hubspot huggingface icloud instagram intuit
jetbrains jpmorgan klarna kraken kubernetes lastpass linear linkedin mailchimp mastercard
metamask microsoft microsoftonline mistral mongodb mozilla netflix netlify nintendo notion
npmjs nvidia office365 okta onedrive onelogin openai oracle outlook paypal perplexity pinterest
playstation postman protonmail pypi python quickbooks reddit replit revolut roblox salesforce
samsung santander sendgrid sentry sharepoint shopify signal slack snowflake spotify
stackoverflow steamcommunity steampowered stripe supabase telegram tencent tiktok trello twilio
twitch twitter vercel vkontakte wechat wellsfargo westernunion whatsapp wikipedia wordpress
xbox xiaomi yahoo yandex youtube zendesk zoom
"""
_LURING = """
access account accounts alert auth authenticate authorization authorize billing confirm connect
customer help helpdesk id identity invoice login logon mfa notice oauth password pay payment
payments portal recover recovery reset secure security service services session signin signon
sso support unlock update validate validation verification verify wallet
"""
KNOWN_NAMES = frozenset(_NAMES.split())
"""Each as the label of a domain, in lower case."""

LURES = frozenset(_LURING.split())
"""What a deceiver puts beside a name: `github-login`, `secure-paypal`."""
