"""`acp-elicit`, with a note of every connection and lookup that it tries itself.

`python watched_command.py RECORD ARGS...`: CPython reports these before it makes them (PEP 578),
so that nothing in the process can leave one out. What it starts, a browser or an agent, is not
watched.
"""

import os
import sys

_WATCHED = ("socket.connect", "socket.getaddrinfo", "socket.gethostby", "socket.send")


def watch(record: str) -> None:
    """Write the name and the target of each such call to the file `record`."""
    file = os.open(record, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)

    def note(event: str, args: tuple[object, ...]) -> None:
        if event.startswith(_WATCHED):
            os.write(file, f"{event} {args[1:] if event == 'socket.connect' else args}\n".encode())

    sys.addaudithook(note)


if __name__ == "__main__":
    watch(sys.argv[1])
    from acp_elicitation.cli import main

    sys.argv = ["acp-elicit", *sys.argv[2:]]
    sys.exit(main())
