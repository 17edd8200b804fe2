"""The database: one module for each kind of row, all of one Django app."""

from __future__ import annotations

from brassmill.web.models.accounts import Account, Block, KnownNetwork, SignIn
from brassmill.web.models.analysis import AnalysisBoard, GameAnalysis, Judgement, Upload
from brassmill.web.models.archive import (
    ArchivedGame,
    ArchivedSeat,
    Bookmark,
    FollowedGame,
    FollowedPlayer,
)
from brassmill.web.models.base import KEY, key, token
from brassmill.web.models.chat import Message, Report
from brassmill.web.models.clubs import Club, ClubBan, ClubMessage, Member
from brassmill.web.models.daily import Attempt, DailyDeal
from brassmill.web.models.delivery import (
    Delivery,
    NotificationChoices,
    PushSubscription,
    Webhook,
)
from brassmill.web.models.mail import Contact, Mail, Refusal
from brassmill.web.models.moderation import PlayerReport
from brassmill.web.models.profiles import GameFigures, Profile
from brassmill.web.models.programs import ProgramToken
from brassmill.web.models.puzzles import PuzzleAttempt, PuzzleRating, PuzzleSolver
from brassmill.web.models.ratings import (
    Ladder,
    LadderRating,
    RatedGame,
    RatedPlayer,
    RatedSeat,
)
from brassmill.web.models.site import PendingNotification, Pulse
from brassmill.web.models.tables import Archive, Entry, Seat, Table
from brassmill.web.models.tournaments import (
    Tournament,
    TournamentPlayer,
    TournamentRound,
    TournamentSeat,
    TournamentTable,
)

__all__ = [
    "KEY",
    "Account",
    "AnalysisBoard",
    "Archive",
    "ArchivedGame",
    "ArchivedSeat",
    "Attempt",
    "Block",
    "Bookmark",
    "Club",
    "ClubBan",
    "ClubMessage",
    "Contact",
    "DailyDeal",
    "Delivery",
    "Entry",
    "FollowedGame",
    "FollowedPlayer",
    "GameAnalysis",
    "GameFigures",
    "Judgement",
    "KnownNetwork",
    "Ladder",
    "LadderRating",
    "Mail",
    "Member",
    "Message",
    "NotificationChoices",
    "PendingNotification",
    "PlayerReport",
    "Profile",
    "ProgramToken",
    "Pulse",
    "PushSubscription",
    "PuzzleAttempt",
    "PuzzleRating",
    "PuzzleSolver",
    "RatedGame",
    "RatedPlayer",
    "RatedSeat",
    "Refusal",
    "Report",
    "Seat",
    "SignIn",
    "Table",
    "Tournament",
    "TournamentPlayer",
    "TournamentRound",
    "TournamentSeat",
    "TournamentTable",
    "Upload",
    "Webhook",
    "key",
    "token",
]
