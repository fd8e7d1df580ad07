"""A person against bots, in the terminal."""

from collections.abc import Callable

from trick_envs import IllegalAction, Table
from trick_envs.bots import Bot
from trick_envs.views.text import picture

HELP = "a card such as QS, another action by its name, ? for what is allowed, q to stop"


def play_match(table: Table, seat: int, bot: Bot, ask: Callable[[str], str], tell: Callable[[str], None]) -> None:
    """Play the match on with a person in ``seat`` and ``bot`` in the others, until it is over or the person stops.

    ask: gets a prompt, returns the answer. tell: shows a text. Raises ValueError when there is no such seat.
    """
    if seat not in range(table.game.num_players):
        raise ValueError(f"seat={seat}: a seat from 0 to {table.game.num_players - 1}")
    while not table.over:
        if table.seat == seat:
            if not _person_acts(table, seat, ask, tell):
                return
        else:
            acting = table.seat
            action = bot.act(table.view(acting))
            table.play(action)
            if table.phase != "pass" and table.history[-1][0] == table.hand_number:
                tell(f"seat {acting}: {table.game.action_name(action)}")
        if table.hand_over:
            tell(f"the hand is over; scores {table.scores}")
    tell(picture(table))


def _person_acts(table: Table, seat: int, ask: Callable[[str], str], tell: Callable[[str], None]) -> bool:
    """Ask until the answer is legal and do it; whether the person goes on."""
    tell("")
    tell(picture(table, seat))
    while True:
        try:
            answer = ask("you: ").strip()
        except (EOFError, KeyboardInterrupt):
            return False
        if answer.lower() == "q":
            return False
        legal = " ".join(table.game.action_name(action) for action in table.legal_actions())
        if answer == "?":
            tell(f"allowed: {legal}\n{HELP}")
            continue
        try:
            table.play(answer.upper() if answer.upper() in legal.split() else answer)
        except IllegalAction as refusal:
            tell(str(refusal))
        else:
            return True
