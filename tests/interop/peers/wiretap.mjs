// Owns: looking at the messages of an SDK stream as they pass.
// Deliberately does not know: any method or scenario.
// Above it: ts_agent.mjs and ts_client.mjs. Below it: the stream of the official SDK.

import { EventEmitter, once } from "node:events";
import { Readable, Writable } from "node:stream";

/**
 * The official ndjson stream over two Node streams, with an emitter that tells each message:
 * "received" before the SDK sees it, "sent" once it has been handed to the operating system.
 */
export function tappedStream(acp, output, input) {
  const inner = acp.ndJsonStream(Writable.toWeb(output), Readable.toWeb(input));
  const tap = new EventEmitter();
  const writer = inner.writable.getWriter();
  const watch = new TransformStream({
    transform(message, controller) {
      tap.emit("received", message);
      controller.enqueue(message);
    },
  });
  const writable = new WritableStream({
    async write(message) {
      await writer.write(message);
      tap.emit("sent", message);
      if (message.method) tap.emit(`sent ${message.method}`, message);
    },
  });
  return { stream: { readable: inner.readable.pipeThrough(watch), writable }, tap };
}

/** Resolves when the next message of `method` has been sent. */
export async function sent(tap, method) {
  const [message] = await once(tap, `sent ${method}`);
  return message;
}

/** How every peer writes down an error that it was answered with. */
export function errorOf(error) {
  const { code, message, data } = error;
  return code === undefined ? { message } : { code, message, data };
}

/** No peer outlives a test: it leaves with status 70 after `seconds`. */
export function watchdog(seconds = 45) {
  setTimeout(() => process.exit(70), seconds * 1000).unref();
}
