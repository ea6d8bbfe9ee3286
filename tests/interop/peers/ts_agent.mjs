// Owns: an agent on the official TypeScript SDK, in v1 or v2, that runs the scenario named by the prompt
//   and then tells, as JSON in one agent_message_chunk, what it was answered.
// Deliberately does not know: who asks, or which answers are right. It has no gate and checks nothing.
// Above it: tests/interop and any ACP client. Below it: @agentclientprotocol/sdk.
//
// Arguments: the protocol version (1, 2 or both), then optionally "ask-in-new-session".
// Extension notification `_interop/shown` tells the agent that its question is on the screen.

import { EventEmitter, once } from "node:events";
import { readFileSync } from "node:fs";
import * as v1 from "@agentclientprotocol/sdk";
import * as v2 from "@agentclientprotocol/sdk/experimental/v2";
import { errorOf, sent, tappedStream, watchdog } from "./wiretap.mjs";

const questions = JSON.parse(readFileSync(new URL("questions.json", import.meta.url), "utf8"));
const [version = "1", ...options] = process.argv.slice(2);
const { stream, tap } = tappedStream(v1, process.stdout, process.stdin);
const client = new EventEmitter(); // emits "shown"
const state = { capabilities: undefined, turns: new Map(), sessions: 0, messages: 0, inNewSession: [] };

/** One prompt being worked on: asks, and keeps the outcomes in the order of asking. */
class Turn {
  constructor(peer, sessionId, say) {
    Object.assign(this, { peer, sessionId, say, outcomes: [], cancelled: new AbortController(), waiting: 0, told: undefined });
  }

  ask(question, { signal, scope = { sessionId: this.sessionId } } = {}) {
    const slot = this.outcomes.push(null) - 1;
    const params = { ...scope, ...question };
    const answer = async () => {
      if (this.waiting++ === 0) this.told = this.say.state("requires_action");
      await this.told; // the first question of two must not be overtaken by the second
      try {
        this.outcomes[slot] = await this.peer.request("elicitation/create", params, { cancellationSignal: signal });
      } catch (error) {
        this.outcomes[slot] = { error: errorOf(error) };
      }
      if (--this.waiting === 0) await this.say.state("running");
      return this.outcomes[slot];
    };
    return answer();
  }

  complete(elicitationId) {
    return this.peer.notify("elicitation/complete", { elicitationId });
  }
}

const scenarios = {
  async form(turn) {
    await turn.say.toolCall("call-1", "Set up the project");
    await turn.ask({ ...questions.form, toolCallId: "call-1" });
  },
  async small(turn) {
    await turn.ask(questions.small);
  },
  async confirm(turn) {
    await turn.ask(questions.confirm);
  },
  async url(turn) {
    const { action } = await turn.ask(questions.url);
    if (action === "accept") await turn.complete(questions.url.elicitationId);
  },
  async "url-early"(turn) {
    const asked = sent(tap, "elicitation/create");
    const answer = turn.ask(questions.url);
    await asked;
    await turn.complete(questions.url.elicitationId);
    await answer;
  },
  async "url-silent"(turn) {
    await turn.ask(questions.url);
  },
  async "cancel-request"(turn) {
    await askAndCancel(turn, sent(tap, "elicitation/create"));
  },
  async "cancel-shown"(turn) {
    await askAndCancel(turn, once(client, "shown"));
  },
  async "cancel-turn"(turn) {
    await turn.ask(questions.small, { signal: turn.cancelled.signal });
  },
  async unadvertised(turn) {
    for (const mode of ["form", "url"]) {
      if (state.capabilities?.[mode] == null) await turn.ask(mode === "form" ? questions.small : questions.url);
    }
  },
  async two(turn) {
    await Promise.all([turn.ask(questions.small), turn.ask(questions.second)]);
  },
  async "unknown-mode"(turn) {
    await turn.ask(questions["unknown-mode"]);
  },
  async "unknown-property"(turn) {
    await turn.ask(questions["unknown-property"]);
  },
  async "unknown-required"(turn) {
    await turn.ask(questions["unknown-required"]);
  },
  async malformed(turn) {
    for (const body of questions.malformed) await turn.ask(body);
    await turn.ask(questions.small, { scope: {} });
  },
  async die(turn) {
    const asked = sent(tap, "elicitation/create");
    void turn.ask(questions.small);
    await asked;
    process.exit(3);
  },
  async "die-shown"(turn) {
    const shown = once(client, "shown");
    void turn.ask(questions.small);
    await shown;
    process.exit(3);
  },
  async "request-scope"(turn) {
    turn.outcomes.push(...state.inNewSession);
  },
};

async function askAndCancel(turn, moment) {
  const cancel = new AbortController();
  const answer = turn.ask(questions.small, { signal: cancel.signal });
  await moment;
  cancel.abort();
  await answer;
}

async function run(turn, text) {
  if (text.startsWith("raw ")) await turn.ask(JSON.parse(text.slice(4)));
  else if (text in scenarios) await scenarios[text](turn);
  await turn.say.text(JSON.stringify({ scenario: text, outcomes: turn.outcomes, capabilities: state.capabilities }));
}

async function newSession({ client: peer, requestId }) {
  if (options.includes("ask-in-new-session")) {
    const turn = new Turn(peer, undefined, silent);
    await turn.ask(questions.small, { scope: { requestId } });
    state.inNewSession = turn.outcomes;
  }
  return { sessionId: `session-${++state.sessions}` };
}

const silent = { state() {}, text() {}, toolCall() {} };
const textOf = (blocks) => blocks.filter((block) => block.type === "text").map((block) => block.text).join("").trim();
const anything = (params) => params;

function startTurn(peer, sessionId, say) {
  const turn = new Turn(peer, sessionId, say);
  state.turns.set(sessionId, turn);
  return turn;
}

const cancelTurn = ({ params }) => state.turns.get(params.sessionId)?.cancelled.abort();
const stopReasonOf = (turn) => (turn.cancelled.signal.aborted ? "cancelled" : "end_turn");

function agentV1() {
  const updates = (peer, sessionId) => {
    const update = (value) => peer.notify("session/update", { sessionId, update: value });
    return {
      state() {},
      text: (text) => update({ sessionUpdate: "agent_message_chunk", content: { type: "text", text } }),
      toolCall: (toolCallId, title) => update({ sessionUpdate: "tool_call", toolCallId, title, kind: "other", status: "pending" }),
    };
  };
  return v1
    .agent({ name: "interop-ts" })
    .onRequest("initialize", ({ params }) => {
      state.capabilities = params.clientCapabilities?.elicitation;
      return { protocolVersion: 1, agentInfo: { name: "interop-ts", title: "Interop (TypeScript)", version: "1" }, agentCapabilities: {} };
    })
    .onRequest("session/new", newSession)
    .onRequest("session/prompt", async ({ params, client: peer }) => {
      const turn = startTurn(peer, params.sessionId, updates(peer, params.sessionId));
      await run(turn, textOf(params.prompt));
      return { stopReason: stopReasonOf(turn) };
    })
    .onNotification("session/cancel", cancelTurn)
    .onNotification("_interop/shown", anything, () => void client.emit("shown"));
}

function agentV2() {
  const updates = (peer, sessionId) => {
    const update = (value) => peer.notify("session/update", { sessionId, update: value });
    return {
      state: (name, rest = {}) => update({ sessionUpdate: "state_update", state: name, ...rest }),
      text: (text) =>
        update({ sessionUpdate: "agent_message_chunk", messageId: `agent-${++state.messages}`, content: { type: "text", text } }),
      toolCall: (toolCallId, title) => update({ sessionUpdate: "tool_call_update", toolCallId, title, kind: "other", status: "pending" }),
      user: (messageId, content) => update({ sessionUpdate: "user_message", messageId, content }),
    };
  };
  const work = async (turn, text) => {
    await turn.say.state("running");
    await run(turn, text);
    await turn.say.state("idle", { stopReason: stopReasonOf(turn) });
  };
  return v2
    .agent({ name: "interop-ts" })
    .onRequest("initialize", ({ params }) => {
      state.capabilities = params.capabilities?.elicitation;
      return { protocolVersion: 2, info: { name: "interop-ts", title: "Interop (TypeScript)", version: "1" }, capabilities: { session: {} } };
    })
    .onRequest("session/new", newSession)
    .onRequest("session/prompt", async ({ params, client: peer }) => {
      const turn = startTurn(peer, params.sessionId, updates(peer, params.sessionId));
      const messageId = `user-${++state.messages}`;
      await turn.say.user(messageId, params.prompt);
      setImmediate(() => void work(turn, textOf(params.prompt)).catch((error) => console.error(error)));
      return { messageId };
    })
    .onNotification("session/cancel", cancelTurn)
    .onNotification("_interop/shown", anything, () => void client.emit("shown"));
}

watchdog();
const agents = {
  1: agentV1,
  2: agentV2,
  both: () => v2.agentProtocolRouter().withV1(agentV1()).withV2(agentV2()),
};
await agents[version]().connect(stream).closed;
process.exit(0);
