"""How long something has taken, in words: every such text stands here.

Owns: how a duration is rounded and written. Knows nothing of: clocks, and of what takes so long.
Above it: the presenters, the command line. Below it: `language`.
"""

from acp_elicitation.text.language import tr

__all__ = ["word_elapsed"]

_MINUTE = 60
_HOUR = 3_600


def word_elapsed(seconds: float) -> str:
    """Return a duration as its reader would say it: "45 s", "2 min 5 s", "3 h 10 min"."""
    whole = max(int(seconds), 0)
    if whole < _MINUTE:
        return tr("{seconds} s", seconds=whole)
    hours, rest = divmod(whole, _HOUR)
    minutes = rest // _MINUTE
    if hours:
        return tr("{hours} h {minutes} min", hours=hours, minutes=minutes)
    if not rest % _MINUTE:
        return tr("{minutes} min", minutes=minutes)
    return tr("{minutes} min {seconds} s", minutes=minutes, seconds=rest % _MINUTE)
