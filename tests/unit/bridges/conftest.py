"""Which of the tests of the official Python SDK the installed version can run."""

import importlib.util

# `acp.experimental.v2` came with the pre-release 1.0, which has an environment of its own.
has_v2 = importlib.util.find_spec("acp.experimental") is not None
collect_ignore = [] if has_v2 else ["test_acp_sdk_v2.py"]
