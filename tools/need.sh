#!/usr/bin/env bash
# need.sh COMMAND PACKAGE...  makes sure that COMMAND can be run. Where it is missing, this installs the Debian
# packages (as root, where apt-get exists), or says what to install and fails.
set -euo pipefail

command=$1
shift

# Debian keeps the programs of PostgreSQL's server out of the path.
have() { PATH="$PATH$(printf ':%s' /usr/lib/postgresql/*/bin)" command -v "$command" >/dev/null; }

if have; then
    exit 0
fi
if [ "$(id -u)" -eq 0 ] && command -v apt-get >/dev/null; then
    echo "installing $* (for the command $command)"
    export DEBIAN_FRONTEND=noninteractive
    apt-get update --quiet=2
    apt-get install --yes --quiet=2 --no-install-recommends "$@" >/dev/null
    have && exit 0
fi
echo "the command '$command' is missing: install it (Debian and Ubuntu: sudo apt-get install $*) and try again" >&2
exit 1
