// The official TypeScript SDK: a client process, and an agent as its child that asks and measures.
//
// Owns: the SDK's shortest way from the agent's call to the content. The answer is not checked.
// Deliberately does not know: how it is compared.
// Above it: benchmarks/run.py. Below it: @agentclientprotocol/sdk (v1), as installed for the tests.

import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { createInterface } from "node:readline";
import { Readable, Writable } from "node:stream";
import { fileURLToPath, pathToFileURL } from "node:url";

const require = createRequire(new URL("../../tests/package.json", import.meta.url));
const acp = await import(pathToFileURL(require.resolve("@agentclientprotocol/sdk")).href);
const question = JSON.parse(readFileSync(new URL("question.json", import.meta.url), "utf8"));
const { message, requestedSchema, content } = question;
const params = { sessionId: "session-1", mode: "form", message, requestedSchema };
const anything = (value) => value;
const streamOf = (output, input) => acp.ndJsonStream(Writable.toWeb(output), Readable.toWeb(input));

async function secondsEach(ask, questions, atOnce) {
  const share = Math.max(1, Math.floor(questions / atOnce));
  const oneAfterAnother = async () => {
    for (let asked = 0; asked < share; asked++) await ask();
  };
  const started = process.hrtime.bigint();
  await Promise.all(Array.from({ length: atOnce }, oneAfterAnother));
  return Number(process.hrtime.bigint() - started) / 1e9 / (share * atOnce);
}

async function beTheAgent() {
  const app = acp
    .agent({ name: "bench" })
    .onRequest("initialize", () => ({ protocolVersion: 1, agentCapabilities: {} }))
    .onRequest("_measure", anything, async ({ params: { questions, at_once }, client }) => {
      const ask = async () => (await client.request("elicitation/create", params)).content;
      return { seconds: await secondsEach(ask, questions, at_once) };
    });
  await app.connect(streamOf(process.stdout, process.stdin)).closed;
}

async function overStdio() {
  const child = spawn(process.execPath, [fileURLToPath(import.meta.url), "agent"], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  const app = acp
    .client({ name: "bench" })
    .onRequest("elicitation/create", () => ({ action: "accept", content }));
  await app.connectWith(streamOf(child.stdin, child.stdout), async (agent) => {
    await agent.request("initialize", { protocolVersion: 1, clientCapabilities: { elicitation: { form: {} } } });
    for await (const line of createInterface({ input: process.stdin })) {
      const { seconds } = await agent.request("_measure", JSON.parse(line));
      process.stdout.write(`${seconds}\n`);
    }
  });
  child.stdin.end();
}

await { stdio: overStdio, agent: beTheAgent }[process.argv[2]]();
process.exit(0);
