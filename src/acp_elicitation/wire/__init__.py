"""How messages travel: JSON-RPC 2.0, one message per line, over pipes and sockets.

Owns: the peer without I/O (`jsonrpc`), its asyncio driver (`connection`), child processes and
standard input and output (`stdio`).
Knows nothing of: elicitation, or any ACP method but `$/cancel_request`.
Above it: agent, client, conformance, bridges. Below it: the error tree of `protocol`.
"""
