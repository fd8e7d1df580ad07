"""What a seat may see of each game's table: view records, feature layouts and text."""

from trick_envs.games import GAMES, VARIANTS
from trick_envs.views import cancellation_hearts, hearts, rage_glyphs, rewind, setback

VIEWS = {
    GAMES["hearts"]: hearts,
    VARIANTS["hearts", "cancellation"]: cancellation_hearts,
    GAMES["setback"]: setback,
    GAMES["rage_glyphs"]: rage_glyphs,
    GAMES["rewind"]: rewind,
}
