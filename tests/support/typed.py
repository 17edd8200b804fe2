"""Games played by typing, for the tests of `brass play`."""

from __future__ import annotations

from click.testing import CliRunner, Result

from brassmill.cli.main import main

# A deal, and bots that link Birmingham-Oxford and Dudley-Kidderminster before your turn.
DEAL = "--seed 5 --seats you,random:seed=117,random:seed=41,random:seed=256"
INTRO = "--edition birmingham --players 2 --option intro=yes --seats you,random --seed 4"
LANCASHIRE = "--edition lancashire --seats you,random,random,random --seed 5"
FIRST_CHOICE = ["list", "1", ""]  # Enter ends a turn, and does nothing elsewhere


def play(*lines: str, options: str = DEAL) -> Result:
    """Run the command with these lines typed."""
    result = CliRunner().invoke(
        main, ["play", *options.split()], input="".join(f"{line}\n" for line in lines)
    )
    assert result.exception is None or isinstance(result.exception, SystemExit)
    return result


def shown(*lines: str, options: str = DEAL) -> str:
    """Return what is shown after the first prompt."""
    output = play(*lines, options=options).output
    return output.split("action left > ", 1)[1]
