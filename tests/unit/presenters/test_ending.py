from typing import get_args

from acp_elicitation.presenters.ending import Ending, word_ending


def test_every_ending_has_words_of_its_own() -> None:
    endings = get_args(Ending)
    assert len({word_ending(ending) for ending in endings}) == len(endings) == 5
