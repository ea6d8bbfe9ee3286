#!/usr/bin/env bash
# constraints.sh  pins the newest versions that pyproject.toml allows into constraints.txt, read from a fresh environment.
# The file names versions only: no index, no path, no link.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

fresh=$(mktemp -d)
trap 'rm -rf "$fresh"' EXIT
tools/venv.sh "$fresh"
"$fresh/bin/python" -m pip install -qq 'hatchling>=1.27' '.[dev]'
{
    echo "# Versions known to work together. Written by \`make constraints\`; the ranges are in pyproject.toml."
    "$fresh/bin/python" -m pip freeze --exclude acp-elicitation | grep -E '^[A-Za-z0-9._-]+==[A-Za-z0-9.!+_-]+$'
} >constraints.txt
echo "constraints.txt: $(grep -c == constraints.txt) versions"
