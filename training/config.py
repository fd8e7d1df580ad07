"""What a run is to do: one YAML file, checked by pydantic."""

from difflib import get_close_matches
from pathlib import Path
from typing import Annotated, Any, Literal, cast

import yaml
from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

import trick_envs
from training.bot_names import check_bot_name
from training.statistics import FEWEST_BLOCKS
from trick_envs import bots
from trick_envs.bots.compiled import CompiledBot
from trick_envs.bots.policy import Inputs, PolicyBot, WhereKnown
from trick_envs.bots.suits import Suits

Positive = Annotated[float, Field(gt=0, allow_inf_nan=False)]
NotNegative = Annotated[float, Field(ge=0, allow_inf_nan=False)]
Count = Annotated[int, Field(ge=1, le=10**9)]
Fraction = Annotated[float, Field(ge=0, le=1)]
Deals = Annotated[int, Field(ge=FEWEST_BLOCKS, le=10**9)]


class ConfigError(ValueError):
    """A run file that cannot be read, or asks for what does not exist."""


class _Section(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Schedule(_Section):
    """A number that goes in a straight line from ``start`` to ``end`` over the run."""

    start: NotNegative
    end: NotNegative

    def at(self, progress: float) -> float:
        """The number at a progress from 0 to 1."""
        return self.start + (self.end - self.start) * min(1.0, progress)


class Learning(_Section):
    """How the policy learns: PPO (Schulman et al. 2017) on the decisions of every seat.

    lookahead: fraction of the run, at its beginning, in which the policy learns what each action comes to when the hand
        is played on (``trick_envs.bots.lookahead``).
    holders_play_on: from which fraction of that part on the hand is played on by whoever holds each seat, the policy
        itself in its own; before, by the rule bot in all seats.
    lookahead_actions: how many actions are then tried where there are more: the likeliest, and the one taken.
    lookahead_rate: learning rate over that part of the run.
    lookahead_by: whether logits are fitted to those ``values``, or the ``policy`` to get the most of them.
    lookahead_sharpness: logits that one unit of scaled reward makes where they are fitted to values.
    imitation: weight of doing as the rule bot does at the beginning of that part, gone at its end.
    episode: what advantages look ahead to the end of, ``hand`` or ``match``.
    decisions_per_update: decisions with a choice that are collected before each update.
    epochs, batch_size: passes over them, and decisions in a step of the optimizer.
    learning_rate, clip_range, entropy: over the run; entropy in units of the scaled reward, and
        at its start while the policy is made to get the most of looking ahead.
    discount, advantage_decay: gamma and lambda of the advantage estimate.
    value_weight, max_gradient_norm: as in PPO.
    reward_scale: factor on rewards, to bring their spread near 1.
    averaging: decay an update of the averaged weights that are measured and shipped.
    """

    lookahead: Fraction = 0.0
    holders_play_on: Fraction = 1.0
    lookahead_actions: Count | None = None
    lookahead_rate: Schedule = Schedule(start=1e-3, end=2e-4)
    lookahead_by: Literal["values", "policy"] = "policy"
    lookahead_sharpness: Positive = 40.0
    imitation: NotNegative = 0.2
    episode: Literal["hand", "match"] = "match"
    decisions_per_update: Count = 16_384
    epochs: Count = 2
    batch_size: Count = 1024
    learning_rate: Schedule = Schedule(start=7e-4, end=3e-5)
    clip_range: Schedule = Schedule(start=0.2, end=0.1)
    entropy: Schedule = Schedule(start=0.01, end=0.002)
    discount: Fraction = 1.0
    advantage_decay: Fraction = 0.95
    value_weight: Positive = 0.5
    max_gradient_norm: Positive = 0.5
    reward_scale: Positive = 0.1
    averaging: Fraction = 0.95


class Opponents(_Section):
    """Against whom the policy plays. In most matches it holds every seat.

    snapshots, rules, random, frozen: fractions of the matches in which it holds one side, drawn by lot, and earlier
        states of it, the game's rule bot, the random bot or ``frozen_bot`` hold the others.
    frozen_bot: a bot by name, such as the folder of a checkpoint, that stays as it is.
    snapshot_every, snapshots_kept: updates between two snapshots, and how many of the latest are drawn from.
    snapshot_draw: how one is drawn for each update: the ``latest``, any (``uniform``), or rather those that the policy
        loses against (``prioritised``).
    """

    snapshots: Fraction = 0.1
    rules: Fraction = 0.1
    random: Fraction = 0.1
    frozen: Fraction = 0.0
    frozen_bot: str | None = None
    snapshot_every: Count = 20
    snapshots_kept: Count = 10
    snapshot_draw: Literal["latest", "uniform", "prioritised"] = "uniform"

    @model_validator(mode="after")
    def _leave_matches(self) -> "Opponents":
        if self.snapshots + self.rules + self.random + self.frozen > 1:
            raise ValueError("snapshots, rules, random and frozen are fractions of all matches, together at most 1")
        if (self.frozen > 0) != (self.frozen_bot is not None):
            raise ValueError("frozen and frozen_bot go together")
        return self


class Measuring(_Section):
    """How the policy is measured: on duplicate deals against each line-up.

    against: bots that fill the other seats, one line-up a bot.
    deals: in the report at the end. curve_deals, curve_every: in the learning curve, and seconds between its points.
    seed: of the deals, apart from all deals of training.
    """

    against: Annotated[tuple[str, ...], Field(min_length=1)] = ("random", "rules")
    deals: Deals = 10_000
    curve_deals: Deals = 400
    curve_every: Positive = 20.0
    seed: Annotated[int, Field(ge=0)] = 2**32


class RunConfig(_Section):
    """A training run.

    game, options: as for ``trick_envs.make``.
    other_tables: options that differ at other tables that the same policy learns at, such as another number of seats.
    minutes or decisions: how long to train, one of the two; decisions are those with a choice.
    tables: tables played together.
    start_from: folder of a checkpoint whose policy the run begins with; by default it begins with chance.
    where_known: who chooses where nothing is hidden from the seat, as in Round II of Rewind: the ``policy``, or
        ``playouts`` of the rule bot. There the policy then learns nothing, and in training the rule bot takes its
        place.
    suits: in what order the policy sees suits that only their names tell apart: ``as_named``; ``trump_first``, trump
        and the first suit in each other's places; ``by_length``, trump and then the longest in hand first.
    hidden, critic_hidden: sizes of the hidden layers of the policy, and of the critic that serves its learning.
    threads: of PyTorch and the engine, all cores when absent.
    """

    game: str
    options: dict[str, Any] = {}
    other_tables: tuple[dict[str, Any], ...] = ()
    minutes: Positive | None = None
    decisions: Count | None = None
    seed: Annotated[int, Field(ge=0, lt=2**32)] = 0
    tables: Annotated[int, Field(ge=1, le=2**20)] = 1024
    threads: Annotated[int, Field(ge=1, le=256)] | None = None
    start_from: str | None = None
    where_known: WhereKnown = "policy"
    suits: Suits = "as_named"
    hidden: tuple[Count, ...] = (256, 256)
    critic_hidden: tuple[Count, ...] = (128, 128)
    learning: Learning = Learning()
    opponents: Opponents = Opponents()
    measuring: Measuring = Measuring()

    @model_validator(mode="after")
    def _one_budget(self) -> "RunConfig":
        if (self.minutes is None) == (self.decisions is None):
            raise ValueError("give minutes or decisions, one of the two")
        games = self.make_games()
        Inputs(games, self.suits)
        needed = [self.opponents.frozen_bot, self.start_from, "rules" if self.needs_rule_bot else None]
        for other in [*self.measuring.against, *needed]:
            if other is not None:
                check_bot_name(other)
                for game in games[: 1 if other in self.measuring.against else None]:
                    bots.make(other, game)
        frozen = self.opponents.frozen_bot
        by_holders = self.learning.lookahead > 0 and self.learning.holders_play_on < 1 and frozen is not None
        if by_holders and not isinstance(bots.make(frozen, games[0]), (PolicyBot, CompiledBot)):
            raise ValueError(f"holders_play_on: frozen_bot {frozen!r} is too slow to play on in playouts")
        return self

    @property
    def needs_rule_bot(self) -> bool:
        """Whether the rule bot teaches or plays in the run."""
        return self.learning.lookahead > 0 or self.opponents.rules > 0 or self.where_known == "playouts"

    def make_games(self) -> tuple[trick_envs.Game, ...]:
        """The games that are trained on, the main one first."""
        return tuple(trick_envs.make(self.game, **{**self.options, **others}) for others in ({}, *self.other_tables))


def read_config(file: Path) -> RunConfig:
    """The run that a YAML file describes; ConfigError names the file, the key and what is wrong with it."""
    try:
        content = yaml.safe_load(file.read_text(encoding="utf-8"))
    except OSError as error:
        raise ConfigError(f"{file}: {error.strerror}") from None
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        raise ConfigError(f"{file} is not YAML: {error}") from None
    if not isinstance(content, dict):
        raise ConfigError(f"{file}: a mapping of keys, such as game: hearts")
    return check_config(content, str(file))


def _told(problem: Any) -> str:
    """What is wrong, with the value given where that is short enough to help; of an unknown key, which there are."""
    if problem["type"] == "extra_forbidden":
        return _unknown_key(problem["loc"])
    given = "" if isinstance(problem["input"], dict) else f" (given: {problem['input']!r})"
    return problem["msg"].removeprefix("Value error, ") + given


def _unknown_key(place: tuple[int | str, ...]) -> str:
    section: type[BaseModel] = RunConfig
    for key in place[:-1]:
        section = cast(type[BaseModel], section.model_fields[str(key)].annotation)
    allowed = list(section.model_fields)
    similar = get_close_matches(str(place[-1]), allowed, 1)
    meant = f"did you mean {similar[0]}? " if similar else ""
    return f"no such key; {meant}keys allowed here: {', '.join(allowed)}"


def check_config(content: dict[str, Any], source: str) -> RunConfig:
    """The run that ``content`` describes; ConfigError names ``source``, the key and what is wrong with it."""
    try:
        return RunConfig.model_validate(content)
    except ValidationError as error:
        problems = []
        for problem in error.errors():
            key = ".".join(map(str, problem["loc"])) or "the file"
            problems.append(f"{key}: {_told(problem)}")
        raise ConfigError(f"{source}: " + "; ".join(problems)) from None
