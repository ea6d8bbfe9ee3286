"""Real servers for the tests: Redis and PostgreSQL from the system, each on a socket of its own.

They listen on a Unix socket in a folder of their own, so that no port can be taken, and end with
the tests. Where a program is missing, the test fails and says what to install.
"""

import contextlib
import os
import pwd
import select
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Self

__all__ = ["PostgresServer", "RedisServer"]

_LIMIT = 30
_POSTGRES_USER = "acp"


def _program(name: str, package: str, *, also: Sequence[str] = ()) -> str:
    """The path of a program; PostgreSQL's are not on Debian's own path."""
    folders = sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)
    path = os.pathsep.join([os.environ.get("PATH", os.defpath), *map(str, folders)])
    for each in (name, *also):
        if found := shutil.which(each, path=path):
            return found
    raise AssertionError(
        f"the tests need the program {name}: install Debian's package {package} (apt-get install "
        f"{package}), or run `make test`, which does that where it is run as root"
    )


class RedisServer:
    """A Redis (or Valkey) that writes each command to its file before it answers, or keeps none."""

    def __init__(self, *, appends: bool = True) -> None:
        self._appends = appends
        self.folder = Path(tempfile.mkdtemp(prefix="acp-redis-"))
        self._process: subprocess.Popen[bytes] | None = None
        self.url = f"unix://{self.folder}/redis.sock"

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.kill()
        shutil.rmtree(self.folder, ignore_errors=True)

    def start(self) -> None:
        """Start it, with what it held before, and return when it answers."""
        program = _program("redis-server", "redis-server", also=("valkey-server",))
        options = {
            "port": "0",
            "unixsocket": f"{self.folder}/redis.sock",
            "dir": str(self.folder),
            "appendonly": "yes" if self._appends else "no",
            "appendfsync": "always",
            "save": "",
        }
        arguments = [part for name, value in options.items() for part in (f"--{name}", value)]
        self._process = subprocess.Popen([program, *arguments], stdout=subprocess.PIPE)
        assert self._process.stdout is not None
        for line in self._process.stdout:
            if b"ready to accept connections" in line.lower():
                return
        self.kill()
        raise AssertionError("the Redis server did not start")

    def kill(self) -> None:
        """End it as a power cut of its process would: with SIGKILL."""
        if self._process is not None:
            self._process.kill()
            self._process.wait(_LIMIT)
            if self._process.stdout is not None:
                self._process.stdout.close()
            self._process = None

    @contextlib.contextmanager
    def paused(self) -> Iterator[None]:
        """Let it say nothing for a while, as a machine does that is no longer reachable."""
        assert self._process is not None
        self._process.send_signal(signal.SIGSTOP)
        try:
            yield
        finally:
            self._process.send_signal(signal.SIGCONT)


class PostgresServer:
    """A PostgreSQL cluster of its own; for root it runs as the user `postgres`."""

    def __init__(self) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="acp-postgres-"))
        self._data = self.folder / "data"
        self._as_user = _as_another_user(self.folder) if os.geteuid() == 0 else []
        self.url = f"postgresql://{_POSTGRES_USER}@/postgres?host={self.folder}"

    def __enter__(self) -> Self:
        made = ["--username", _POSTGRES_USER, "--auth", "trust", "--no-sync", "--encoding", "UTF8"]
        self._run("initdb", "--pgdata", str(self._data), "--locale", "C", *made)
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.kill()
        shutil.rmtree(self.folder, ignore_errors=True)

    def start(self) -> None:
        """Start it, with what it held before, and return when it answers."""
        # After a kill it would write each of its files to the disk, one after the other.
        sync = "-c recovery_init_sync_method=syncfs"
        socket = f"-c listen_addresses='' -c unix_socket_directories='{self.folder}'"
        options = f"{sync} {socket}"
        log = f"{self.folder}/log"
        self._control("start", "--log", log, "--options", options)

    def kill(self) -> None:
        """End it without a goodbye: what was not committed is lost, and it has to recover."""
        if (self._data / "postmaster.pid").exists():
            self._control("stop", "--mode", "immediate")

    def kill_hard(self) -> None:
        """End all of its processes with SIGKILL, and return when they are gone."""
        postmaster = int((self._data / "postmaster.pid").read_text().split()[0])
        children = Path(f"/proc/{postmaster}/task/{postmaster}/children").read_text().split()
        for pid in (postmaster, *map(int, children)):
            with contextlib.suppress(ProcessLookupError):
                process = os.pidfd_open(pid)
                signal.pidfd_send_signal(process, signal.SIGKILL)
                assert select.select([process], [], [], _LIMIT)[0], f"{pid} does not end"
                os.close(process)
        # Where nobody takes note of its end, its number still looks taken.
        for lock in (self._data / "postmaster.pid", *self.folder.glob(".s.PGSQL.*.lock")):
            lock.unlink(missing_ok=True)

    def run_sql(self, statement: str) -> None:
        """Run a statement as its administrator."""
        self._run("psql", "--quiet", "--dbname", self.url, "--command", statement)

    def _control(self, *arguments: str) -> None:
        self._run("pg_ctl", "--wait", "--pgdata", str(self._data), *arguments)

    def _run(self, name: str, *arguments: str) -> None:
        command = [*self._as_user, _program(name, "postgresql"), *arguments]
        with tempfile.TemporaryFile() as output:  # a pipe would be held open by the server
            done = subprocess.run(
                command, cwd="/", stdout=output, stderr=output, timeout=_LIMIT, check=False
            )
            output.seek(0)
            assert done.returncode == 0, f"{name}: {output.read().decode()}"


def _as_another_user(folder: Path) -> list[str]:
    try:
        user = pwd.getpwnam("postgres")
    except KeyError:
        raise AssertionError("root needs the user postgres: apt-get install postgresql") from None
    os.chown(folder, user.pw_uid, user.pw_gid)
    folder.chmod(0o755)
    ids = ["--reuid", str(user.pw_uid), "--regid", str(user.pw_gid)]
    return [_program("setpriv", "util-linux"), *ids, "--clear-groups"]
