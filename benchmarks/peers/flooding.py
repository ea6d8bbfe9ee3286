"""An agent that answers a prompt with as many updates as its argument says, as fast as it can.

Owns: the updates, texts of many lengths in turn. Deliberately does not know: who counts them.
Above it: `benchmarks.proxy`. Below it: stdin and stdout.
"""

import json
import sys

__all__ = ["UPDATES", "main"]

_WORDS = "Reading the tests, then the code that they are about; \u00e9\u4e2d\U0001f642. "


def _update(number: int) -> bytes:
    text = _WORDS * (number % 7 + 1)
    update = {"sessionUpdate": "agent_message_chunk", "content": {"type": "text", "text": text}}
    params = {"sessionId": "s", "update": update, "_meta": {"n": number}}
    message = {"jsonrpc": "2.0", "method": "session/update", "params": params}
    return json.dumps(message, ensure_ascii=number % 2 == 0).encode() + b"\n"


UPDATES = tuple(_update(number) for number in range(1_000))
"""The lines that are sent, over and over."""


def main() -> None:
    """Answer `initialize`, flood at the prompt, and leave with the client."""
    out = sys.stdout.buffer
    for line in sys.stdin.buffer:
        message = json.loads(line)
        if message["method"] == "session/prompt":
            all_of_them = b"".join(UPDATES)
            for _ in range(int(sys.argv[1]) // len(UPDATES)):
                out.write(all_of_them)
        else:
            result = {"protocolVersion": 1, "agentCapabilities": {}}
            out.write(json.dumps({"jsonrpc": "2.0", "id": 0, "result": result}).encode() + b"\n")
        out.flush()


if __name__ == "__main__":
    main()
