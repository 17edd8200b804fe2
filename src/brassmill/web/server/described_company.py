"""The addresses of tournaments, clubs, programs and reports, described (`openapi.py`)."""

from __future__ import annotations

from brassmill.web.server.described import (
    EDITION,
    HTML,
    JSON,
    NUMBER,
    STRING,
    TEXT,
    Described,
    one_of,
)

REPORT = {"seat": NUMBER, "reason": STRING, "text": STRING}

CLUB = {"name": STRING, "about": STRING, "joining": one_of("open", "invited")}
ACTS = ("mute", "unmute", "remove", "ban", "promote", "demote", "hand over")

TOURNAMENT = {
    **dict.fromkeys(("name", "about", "starts", "clock"), STRING),
    "style": one_of("swiss", "round-robin", "knock-out", "league", "arena"),
    "edition": EDITION,
    **dict.fromkeys(("size", "most", "rounds", "division", "movers", "days", "minutes"), NUMBER),
    **dict.fromkeys(("rated", "duplicate", "late"), one_of("yes")),
}

DESCRIBED = {
    "tournaments": Described("Tournaments to join, running and over", HTML),
    "tournaments_json": Described("Tournaments to join, running and over", JSON),
    "new_tournament": Described("A new tournament", HTML, form=TOURNAMENT),
    "tournament": Described("A tournament: standings, rounds, cross table", HTML),
    "tournament_json": Described("A tournament: standings, rounds, cross table", JSON),
    "join_tournament": Described("Join a tournament", form={}),
    "leave_tournament": Described("Leave a tournament", form={}),
    "manage_tournament": Described(
        "What its organiser decides",
        form={
            "do": one_of("begin", "pause", "resume", "cancel", "remove", "replace", "declare"),
            **dict.fromkeys(("player", "substitute", "table"), NUMBER),
            **{f"rank-{seat}": NUMBER for seat in range(4)},
        },
    ),
    "tournament_games": Described("All public games of a tournament, as records", TEXT),
    "clubs": Described("Your clubs, and those that anyone may join", HTML),
    "clubs_json": Described("Your clubs, and those that anyone may join", JSON),
    "club_found": Described("Found a club", form=CLUB),
    "club_invited": Described("An invitation to a club; POST joins it", HTML, form={}),
    "club": Described("A club, as far as the visitor may see it", HTML, {"ladder": STRING}),
    "club_json": Described("A club, as far as the visitor may see it", JSON),
    "club_join": Described("Join an open club", form={}),
    "club_leave": Described("Leave a club", form={}),
    "club_chat": Described("The chat of a club; POST writes", HTML, form={"text": STRING}),
    "club_message_delete": Described("Delete a message of a club", form={"message": NUMBER}),
    "club_member": Described(
        "Moderate a member, or lift a ban",
        form={"number": NUMBER, "act": one_of(*ACTS), "unban": NUMBER},
    ),
    "club_settings": Described(
        "Change a club or its invitation link",
        form={**CLUB, "days": one_of("1", "7", "30"), "revoke": one_of("1")},
    ),
    "club_close": Described("Close a club for good", form={"confirm": one_of("yes")}),
    "report_at_table": Described("Report a player at a table", HTML, {"seat": NUMBER}, form=REPORT),
    "report_player": Described("Report a player", HTML, form=REPORT),
    "reports": Described("Your reports of players, and the answers", HTML),
    "programs": Described("Tokens for programs", HTML),
    "program_mark": Described("Mark the account as a program's", form={"present": STRING}),
    "token_make": Described(
        "Make a token for a program",
        form={"name": STRING, "scope": STRING, "present": STRING},
    ),
    "token_revoke": Described("Revoke a token", form={"number": NUMBER}),
}
