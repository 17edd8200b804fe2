"""The addresses of programs, reports of players, and clubs, described (`openapi.py`)."""

from __future__ import annotations

from brassmill.web.server.described import HTML, NUMBER, STRING, Described

REPORT = {"seat": NUMBER, "reason": STRING, "text": STRING}

DESCRIBED = {
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
