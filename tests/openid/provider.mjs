// A strict OpenID provider for the tests: npm's oidc-provider with nothing made laxer.
//
// PKCE by S256, exact redirect URIs, codes that work once, `iss` with every answer (RFC 9207), refresh
// tokens that rotate, revocation. Everything is in memory, and the process ends when its stdin does.
//
// Environment:
//   OPENID_CLIENTS    a list of clients as oidc-provider takes them (client_id, redirect_uris, ...)
//   OPENID_HOST       the host of the issuer, 127.0.0.1 or localhost (127.0.0.1)
//   OPENID_LIFETIMES  seconds, such as {"AccessToken": 5}
//   OPENID_TOKEN      how the token endpoint begins (serve); afterwards lines on stdin change it
//
// The token endpoint can `serve`, be `down` (503), `hold` every request until it may serve again, or
// `slow MILLISECONDS`. Stdout has one JSON object a line: first the issuer, then for every token
// request that it arrived, and how it was answered (with the tokens, for the tests to look for
// them), and for every line of stdin that it is done.

import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';

import { Provider } from 'oidc-provider';

const host = process.env.OPENID_HOST ?? '127.0.0.1';
const clients = JSON.parse(process.env.OPENID_CLIENTS);
const lifetimes = JSON.parse(process.env.OPENID_LIFETIMES ?? '{}');
const say = (line) => process.stdout.write(`${JSON.stringify(line)}\n`);

// --- what it keeps -------------------------------------------------------------------------------

// The memory of oidc-provider forgets beyond 1,000 entries; the tests may need more.
const kept = new Map();

class Memory {
  constructor(model) {
    this.model = model;
  }

  async upsert(id, payload, seconds) {
    const until = seconds ? Date.now() + seconds * 1000 : Infinity;
    kept.set(`${this.model}:${id}`, { payload, until });
  }

  async find(id) {
    const found = kept.get(`${this.model}:${id}`);
    return found && found.until > Date.now() ? { ...found.payload } : undefined;
  }

  async findByUid(uid) {
    for (const [key, { payload }] of kept) {
      if (key.startsWith(`${this.model}:`) && payload.uid === uid) return { ...payload };
    }
    return undefined;
  }

  async consume(id) {
    kept.get(`${this.model}:${id}`).payload.consumed = Math.floor(Date.now() / 1000);
  }

  async destroy(id) {
    kept.delete(`${this.model}:${id}`);
  }

  // The provider ends the grant itself as well, and takes no token of a grant that is not there.
  async revokeByGrantId() {}
}

// --- the token endpoint, as it may be on a bad day -------------------------------------------------

let manner = process.env.OPENID_TOKEN ?? 'serve';
let held = [];

function behave(line) {
  manner = line.trim();
  if (manner !== 'hold') {
    held.forEach((go) => go());
    held = [];
  }
  say({ token: 'behaves' });
}

async function token(ctx, next) {
  if (ctx.path !== '/token' || ctx.method !== 'POST') return next();
  say({ token: 'arrived' });
  if (manner === 'hold') await new Promise((go) => held.push(go));
  if (manner.startsWith('slow ')) await sleep(Number(manner.slice(5)));
  if (manner === 'down') {
    ctx.status = 503;
    ctx.body = 'down';
  } else {
    await next();
  }
  const grant = ctx.oidc?.params?.grant_type;
  const client = ctx.oidc?.client?.clientId;
  const { error, access_token: access, refresh_token: refresh, id_token: id } = ctx.body ?? {};
  const tokens = [access, refresh, id].filter(Boolean);
  say({ token: 'answered', grant, client, status: ctx.status, error, tokens });
}

// --- the page at which the user signs in and consents ----------------------------------------------

const escape = (text) => text.replace(/[&<>"']/g, (each) => `&#${each.charCodeAt(0)};`);

function page({ uid, session, params }) {
  return `<!doctype html><html lang="en"><title>Provider</title><h1>Provider</h1>
<p>${escape(params.client_id)} asks for ${escape(params.scope ?? 'nothing')}.</p>
<form method="post" action="/interaction/${uid}">
<label>User name <input name="user" value="${escape(session?.accountId ?? '')}"></label>
<button name="answer" value="allow">Allow</button> <button name="answer" value="deny">Deny</button>
</form></html>`;
}

async function answered(request) {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  return new URLSearchParams(Buffer.concat(chunks).toString());
}

async function interact(provider, request, response) {
  const interaction = await provider.interactionDetails(request, response);
  if (request.method !== 'POST') {
    response.setHeader('Content-Type', 'text/html; charset=utf-8');
    return response.end(page(interaction));
  }
  const form = await answered(request);
  if (form.get('answer') !== 'allow') {
    return provider.interactionFinished(request, response, { error: 'access_denied' });
  }
  const accountId = form.get('user');
  const grant = new provider.Grant({ accountId, clientId: interaction.params.client_id });
  grant.addOIDCScope(interaction.params.scope);
  const result = { login: { accountId }, consent: { grantId: await grant.save() } };
  return provider.interactionFinished(request, response, result);
}

// --- the whole -------------------------------------------------------------------------------------

const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const server = createServer().listen(0, host === 'localhost' ? '127.0.0.1' : host);
await once(server, 'listening');
const issuer = `http://${host}:${server.address().port}`;

const provider = new Provider(issuer, {
  adapter: Memory,
  allowOmittingSingleRegisteredRedirectUri: false,
  claims: { openid: ['sub'], profile: ['name', 'preferred_username'] },
  clients: clients.map((client) => ({
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    ...client,
  })),
  cookies: { keys: [randomBytes(16).toString('hex')] },
  features: { devInteractions: { enabled: false }, revocation: { enabled: true } },
  findAccount: (_, sub) => ({
    accountId: sub,
    claims: () => ({ sub, name: `The user ${sub}`, preferred_username: sub }),
  }),
  interactions: { url: (_, interaction) => `/interaction/${interaction.uid}` },
  jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), use: 'sig', alg: 'RS256' }] },
  pkce: { required: () => true },
  rotateRefreshToken: true,
  scopes: ['openid', 'offline_access', 'profile', 'repo'],
  ttl: {
    AccessToken: 600, AuthorizationCode: 60, Grant: 3600, IdToken: 600, Interaction: 600,
    RefreshToken: 3600, Session: 3600, ...lifetimes,
  },
});
provider.use(token);

const handle = provider.callback();
server.on('request', (request, response) => {
  if (!request.url.startsWith('/interaction/')) return handle(request, response);
  return interact(provider, request, response).catch((error) => {
    response.statusCode = 400;
    response.end(String(error));
  });
});

const lines = createInterface({ input: process.stdin });
lines.on('line', behave);
lines.on('close', () => process.exit(0));
say({ issuer });
