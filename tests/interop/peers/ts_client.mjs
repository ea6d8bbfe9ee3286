// Owns: a client on the official TypeScript SDK, in v1 or v2: starts the agent of its arguments, opens a session, sends
//   the prompts, answers elicitations by the policy, prints one JSON line for each thing seen, and leaves.
// Deliberately does not know: which agent it runs. What the agent prints on stderr goes to this process's stderr.
// Above it: tests/interop. Below it: @agentclientprotocol/sdk.
//
// Environment: ACP_VERSION=1|2; ACP_ELICITATION=JSON capability (default {"form":{},"url":{}}; null advertises nothing);
//   ACP_PROMPTS=JSON list; ACP_POLICY=JSON list of rules, one for each elicitation, the last one for the rest:
//   {"do": "accept", "content": {...}} | {"do": "decline"} | {"do": "cancel"} | {"do": "result", "result": any}
//   | {"do": "error", "code": n} | {"do": "never"} | {"do": "close"}, with "when": "cancelled" | "completed" to wait for
//   the agent's $/cancel_request or elicitation/complete before it, and "send": "session/cancel" | "$/cancel_request"
//   to cancel the turn first.

import { spawn } from "node:child_process";
import { EventEmitter, once } from "node:events";
import * as v1 from "@agentclientprotocol/sdk";
import * as v2 from "@agentclientprotocol/sdk/experimental/v2";
import { errorOf, tappedStream, watchdog } from "./wiretap.mjs";

const version = Number(process.env.ACP_VERSION ?? "1");
const capability = JSON.parse(process.env.ACP_ELICITATION ?? '{"form":{},"url":{}}');
const prompts = JSON.parse(process.env.ACP_PROMPTS ?? '["form"]');
const policy = JSON.parse(process.env.ACP_POLICY ?? '[{"do":"decline"}]');
const acp = version === 2 ? v2 : v1;

watchdog();
const seen = (kind, fields = {}) => process.stdout.write(`${JSON.stringify({ seen: kind, ...fields })}\n`);
const [command, ...args] = process.argv.slice(2);
const child = spawn(command, args, { stdio: ["pipe", "pipe", "inherit"] });
const exited = once(child, "exit");
const { stream, tap } = tappedStream(acp, child.stdin, child.stdout);

const completions = new EventEmitter();
const completed = new Set();
const idle = new EventEmitter();
const turn = { sessionId: undefined, cancel: new AbortController() };
let asked = 0;

tap.on("received", (message) => {
  if (message.method === "elicitation/create") seen("wire", { id: message.id, params: message.params });
  if (message.method === "$/cancel_request") seen("cancel_request", { requestId: message.params?.requestId });
});

async function moment(rule, params, signal) {
  if (rule.when === "completed" && !completed.has(params.elicitationId)) await once(completions, params.elicitationId);
  if (rule.when === "cancelled" && !signal.aborted) await once(signal, "abort");
}

async function answer({ params, requestId, signal, agent }) {
  seen("elicitation", { id: requestId, params });
  const rule = policy[Math.min(asked++, policy.length - 1)];
  await agent.notify("_interop/shown", {});
  if (rule.send === "session/cancel") await agent.notify("session/cancel", { sessionId: turn.sessionId });
  if (rule.send === "$/cancel_request") turn.cancel.abort();
  await moment(rule, params, signal);
  switch (rule.do) {
    case "accept":
      return { action: "accept", content: rule.content };
    case "decline":
    case "cancel":
      return { action: rule.do };
    case "result":
      return rule.result;
    case "error":
      throw new acp.RequestError(rule.code, "refused by policy");
    case "close":
      return process.exit(0);
    default:
      await once(signal, "abort");
      throw signal.reason;
  }
}

const app = acp
  .client({ name: "interop-ts" })
  .onRequest("elicitation/create", answer)
  .onNotification("elicitation/complete", ({ params }) => {
    seen("completed", { elicitationId: params.elicitationId });
    completed.add(params.elicitationId);
    completions.emit(params.elicitationId);
  })
  .onRequest("session/request_permission", ({ params }) => {
    seen("permission", { params });
    return { outcome: { outcome: "selected", optionId: params.options[0].optionId } };
  })
  .onNotification("session/update", ({ params: { update } }) => {
    seen("update", { update });
    if (update.sessionUpdate === "state_update" && update.state === "idle") idle.emit("idle", update.stopReason);
  });

const info = { name: "interop-ts", title: "Interop (TypeScript)", version: "1" };
const initialize = {
  1: { protocolVersion: 1, clientInfo: info, clientCapabilities: capability === null ? {} : { elicitation: capability } },
  2: { protocolVersion: 2, info, capabilities: capability === null ? {} : { elicitation: capability } },
}[version];

async function prompt(agent, text) {
  const ended = once(idle, "idle");
  turn.cancel = new AbortController();
  const params = { sessionId: turn.sessionId, prompt: [{ type: "text", text }] };
  const result = await agent.request("session/prompt", params, { cancellationSignal: turn.cancel.signal });
  const stopReason = version === 2 ? (await ended)[0] : result.stopReason;
  seen("turn", { stopReason, result });
}

async function converse(agent) {
  seen("initialized", { result: await agent.request("initialize", initialize) });
  const session = await agent.request("session/new", { cwd: process.cwd(), mcpServers: [] });
  turn.sessionId = session.sessionId;
  seen("session", { sessionId: session.sessionId });
  for (const text of prompts) {
    try {
      await prompt(agent, text);
    } catch (error) {
      seen("error", errorOf(error));
    }
  }
}

try {
  await app.connectWith(stream, converse);
} catch (error) {
  seen("closed", errorOf(error));
}
child.stdin.end();
const [code, killedBy] = await exited;
seen("exit", { code: killedBy ?? code });
process.exit(0);
