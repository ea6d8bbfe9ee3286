#!/usr/bin/env bash
# venv.sh DIRECTORY  creates a virtual environment with $PYTHON, or else with the first Python 3.11+ on the path.
set -euo pipefail

directory=$1
works='import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))'
for python in ${PYTHON:-python3 python3.14 python3.13 python3.12 python3.11 python}; do
    if "$python" -c "$works" >/dev/null 2>&1; then
        exec "$python" -m venv --clear "$directory"
    fi
done
echo "no Python 3.11 or newer with the venv module found (tried: ${PYTHON:-python3, python3.11 to python3.14, python})." >&2
echo "Install one (Debian 12 and Ubuntu: sudo apt-get install python3 python3-venv), or name it: make PYTHON=/path/to/python3" >&2
exit 1
