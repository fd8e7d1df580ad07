"""Play for a given seed stays as it was written down."""

import difflib

import pytest

from tests import golden
from tests.games import Case


@pytest.mark.parametrize("case", golden.CASES, ids=str)
def test_a_match_goes_as_written_down(case: Case) -> None:
    file = golden.file_of(case)
    written = file.read_text() if file.exists() else ""
    changes = difflib.unified_diff(
        written.splitlines(), golden.trace(case).splitlines(), file.name, "now", lineterm="", n=1
    )
    changed = "\n".join(list(changes)[:40])
    assert not changed, (
        f"{changed}\nThe trace has changed. If that is meant, the game needs a new VERSION and a line in its "
        "version history; then run python -m tests.golden"
    )


def test_there_is_no_file_too_many() -> None:
    """Files of versions that are no more are removed."""
    assert {file.name for file in golden.FOLDER.iterdir()} == {golden.file_of(case).name for case in golden.CASES}
