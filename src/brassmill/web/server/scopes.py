"""What the token of a program opens, by the names of the addresses; nothing else does it open."""

from __future__ import annotations

READ, PLAY, LOBBY, CHAT = "read", "play", "lobby", "chat"

READING = {
    *("home_json", "new_json", "lobby_json", "openapi", "events", "record"),
    *("table_json", "past_json", "why_json", "preview_json", "scene_json", "chat_json"),
    *("result_json", "replay_json", "archive_json", "archive_games", "ratings_json"),
    "profile_json",
}
POSTING = {
    **dict.fromkeys(("choose_json", "end_json", "back_json"), PLAY),
    **dict.fromkeys(("new_json", "join_json"), LOBBY),
    "chat_json": CHAT,
}


def needed(name: str, is_reading: bool) -> str:
    """The scope that an address needs; empty: programs cannot use it."""
    if is_reading:
        return READ if name in READING else ""
    return POSTING.get(name, "")
