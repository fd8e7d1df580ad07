"""Options that every game has, checked by pydantic, with errors that name the option, the value and the choice."""

from collections.abc import Mapping
from typing import Annotated, Any, TypeVar

import numpy as np
from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from trick_envs.games.table import (
    DRAWN,
    EVENT_SPANS,
    MEMORIES,
    REWARD_SCHEMES,
    UNLIMITED,
    Encoding,
    EventSpan,
    Memory,
    RewardScheme,
)

LARGEST = 2**31 - 1
INT8_MAX = 127
MOST_HANDS_TOLD = 10_000  # events of a longer match would fill the memory
Count = Annotated[int, Field(ge=1, le=LARGEST)]
Natural = Annotated[int, Field(ge=0, le=LARGEST)]
OptionsType = TypeVar("OptionsType", bound="GameOptions")


class GameOptions(BaseModel):
    """The options of ``rules`` that no single game owns; a game's class adds its own and its defaults.

    num_players: seats at the table.
    num_hands: agreed length of the match in hands; ``None`` leaves the end to the rules.
    max_hands: cap after which the match is truncated; ``None`` for no cap.
    first_dealer: seat that deals hand 0; ``None`` draws it from the seed.
    rewards: ``"points"``, ``"relative"`` (zero-sum, per hand) or ``"placement"`` (zero-sum, at the end).
    observation: ``"features"`` for networks of fixed size, ``"events"`` for sequence models, or ``"both"``.
    events_of: whether events go back to the beginning of the ``"match"`` or of the ``"hand"``.
    memory: ``"perfect"`` features hold all that a seat has seen, ``"table"`` only what lies in view now.
    """

    model_config = ConfigDict(frozen=True, strict=True, extra="forbid", validate_default=True)

    num_players: int
    num_hands: Count | None = None
    max_hands: Count | None = None
    first_dealer: int | None = None
    rewards: RewardScheme = "points"
    observation: Encoding = "features"
    events_of: EventSpan = "match"
    memory: Memory = "perfect"

    @model_validator(mode="after")
    def _dealer_has_a_seat(self) -> "GameOptions":
        if self.first_dealer is not None and self.first_dealer not in range(self.num_players):
            raise ValueError(f"first_dealer={self.first_dealer}: should be {_dealers(self.num_players)}")
        return self

    @model_validator(mode="after")
    def _events_are_bounded(self) -> "GameOptions":
        hands = self.most_hands
        of_match = self.observation != "features" and self.events_of == "match"
        if of_match and (hands is None or hands > MOST_HANDS_TOLD):
            option = "max_hands" if hands == self.max_hands else "num_hands"
            raise ValueError(
                f"{option}={hands}: should be a number of hands up to {MOST_HANDS_TOLD} with "
                f"observation={self.observation!r}, for room for the events of a whole match; or events_of='hand'"
            )
        return self

    @property
    def most_hands(self) -> int | None:
        """Hands after which the match ends at the latest; ``None`` when nothing says so."""
        limits = [hands for hands in (self.num_hands, self.max_hands) if hands is not None]
        return min(limits, default=None)

    def write(self, table: np.void) -> None:
        """Write the options into the table record ``table`` in place."""
        table["num_players"] = self.num_players
        table["num_hands"] = self.num_hands or UNLIMITED
        table["max_hands"] = self.max_hands or UNLIMITED
        table["first_dealer"] = DRAWN if self.first_dealer is None else self.first_dealer
        table["reward_scheme"] = REWARD_SCHEMES.index(self.rewards)
        table["memory"] = MEMORIES.index(self.memory)
        table["events_of"] = EVENT_SPANS.index(self.events_of)
        table["score_shift"] = self.score_shift

    @property
    def usual_score(self) -> int:
        """Scores rarely lie further from 0: those that should fit into an observation."""
        return INT8_MAX

    @property
    def score_shift(self) -> int:
        """Observations hold scores in units of 2 to this power, so that ``usual_score`` fits an int8."""
        return max(0, self.usual_score.bit_length() - INT8_MAX.bit_length())


def parse(options_class: type[OptionsType], game: str, given: Mapping[str, Any]) -> OptionsType:
    """Check ``given`` against the options of a game.

    Raises ValueError naming each wrong option, the value given and the values allowed.
    """
    try:
        return options_class(**given)
    except ValidationError as error:
        problems = "; ".join(_sentence(problem, options_class, given) for problem in error.errors())
        raise ValueError(f"{game}: {problems}") from None


def _dealers(num_players: Any) -> str:
    return f"a seat from 0 to {num_players - 1} or None"


def _sentence(problem: Any, options_class: type[GameOptions], options: Mapping[str, Any]) -> str:
    if problem["type"] == "value_error":
        return str(problem["ctx"]["error"])
    option = str(problem["loc"][0])
    given = f"{option}={problem['input']!r}"
    if problem["type"] == "extra_forbidden":
        return f"{given}: unknown option; the options are {', '.join(options_class.model_fields)}"
    if option == "first_dealer":
        seats = options.get("num_players")
        usual = options_class.model_fields["num_players"].default
        return f"{given}: should be {_dealers(seats if isinstance(seats, int) else usual)}"
    return f"{given}: should be {_allowed(options_class.model_json_schema()['properties'][option])}"


def _allowed(schema: dict[str, Any]) -> str:
    """The values that a JSON schema of an option allows, in words."""
    if "anyOf" in schema:
        return " or ".join(_allowed(choice) for choice in schema["anyOf"])
    if "const" in schema:
        return repr(schema["const"])
    if "enum" in schema:
        return " or ".join(map(repr, schema["enum"]))
    if schema["type"] == "integer":
        return f"an int from {schema['minimum']} to {schema['maximum']}"
    return {"boolean": "True or False", "null": "None"}[schema["type"]]
