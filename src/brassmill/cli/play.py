"""`brass play`: play a game in the terminal."""

from __future__ import annotations

import io
import secrets
import shutil
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime
from threading import Timer
from typing import TYPE_CHECKING, Any, TypeVar

import click
from click.core import ParameterSource

from brassmill.cli.main import COMMANDS, INTERRUPTED
from brassmill.cli.options import one_clock, one_game, one_language
from brassmill.cli.progress import warm_up_with_bar
from brassmill.cli.shell import brass
from brassmill.errors import BrassError
from brassmill.language import N_, pgettext
from brassmill.language import gettext as _

if TYPE_CHECKING:
    from brassmill.cli.play_session import PlaySession
    from brassmill.cli.prompt import Prompt
    from brassmill.cli.saved_games import GameFile, SavedGame, SavedGames
    from brassmill.cli.screen import Screen

GAME = ("name", "players", "options", "seed", "seats")  # parameters that define the game
SHOWN = 9  # unfinished games to offer
UNNOTICED = 0.5  # seconds that a bot may think before we say so
EXAMPLE = ("you", "master", "Ada", "Ben")

T = TypeVar("T")


@click.command(help=COMMANDS["play"])
@one_game
@click.option(
    "--seats",
    metavar="PLAYER,PLAYER,...",
    help=N_("Players: you, names, bots (see brass bots).  [default: you against beginners]"),
)
@click.option("--seed", type=int, help=N_("The same seed deals the same cards.  [default: random]"))
@one_clock
@click.option("--resume", is_flag=True, help=N_("Resume the last game."))
@one_language
@click.pass_context
def play(
    context: click.Context,
    name: str,
    players: int | None,
    options: dict[str, str],
    seats: str | None,
    seed: int | None,
    clock: float,
    resume: bool,
) -> None:
    from brassmill.rules import jit

    jit.start_plain()
    from brassmill.cli.prompt import open_prompt
    from brassmill.cli.saved_games import SavedGames
    from brassmill.play.seating import read_seats

    given = [
        parameter
        for parameter in GAME
        if context.get_parameter_source(parameter) is not ParameterSource.DEFAULT
    ]
    if resume and given:
        raise BrassError(_("--resume continues a game as it is; leave out the other options"))
    for stream in (sys.stdin, sys.stdout):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")  # for terminals without these characters
    games, prompt = SavedGames(), open_prompt()
    say_damaged(games)
    try:
        found = latest(games) if resume else None
        if seats is not None:
            read_seats(seats)  # report mistakes before asking anything
        if sys.stdin.isatty() and not resume:
            if not given:
                found = choose_unfinished(games, prompt)
            if not found and "name" not in given:
                name, players, seats = menu(prompt, name, players, seats)
        file, saved = found or new_game(games, name, players, options, seats, seed)
        sit_down(games, file, saved, clock)
    except EOFError:
        click.echo()
    except KeyboardInterrupt:
        click.echo()
        sys.exit(INTERRUPTED)


# --- which game ----------------------------------------------------------------------------------


def say_damaged(games: SavedGames) -> None:
    """Move unreadable games out of the way, and say so."""
    for file, error in games.damaged():
        say_put_aside(file, error)


def say_put_aside(file: GameFile, error: Exception) -> None:
    click.echo(_("A saved game cannot be read: {reason}. It was moved to:").format(reason=error))
    click.echo(f"  {file.put_aside()}")


def latest(games: SavedGames) -> tuple[GameFile, SavedGame]:
    """The game played last."""
    unfinished = games.unfinished()
    if not unfinished:
        raise BrassError(_("no unfinished game; start one with brass play"))
    return unfinished[0]


def choose_unfinished(games: SavedGames, prompt: Prompt) -> tuple[GameFile, SavedGame] | None:
    """Ask which unfinished game to resume, if there is any; None starts a new game."""
    unfinished = games.unfinished()[:SHOWN]
    if not unfinished:
        return None
    click.echo(_("Unfinished games:"))
    for number, (_file, saved) in enumerate(unfinished, 1):
        click.echo(item(number, description(saved)))
    click.echo("  0  {}".format(_("start a new game")))
    numbers = {str(number): game for number, game in enumerate(unfinished, 1)}

    def read(answer: str) -> tuple[GameFile, SavedGame] | None:
        if answer != "0" and answer not in numbers:
            raise BrassError(_("type a number from the list"))
        return numbers.get(answer)

    return ask(prompt, _("Which game?"), "1", read)


def description(saved: SavedGame) -> str:
    """Which game it is, how far it got, and when it was played."""
    from brassmill import terms
    from brassmill.editions import EDITIONS
    from brassmill.play.seating import seats_in_words

    played = datetime.fromisoformat(saved.played)
    info = EDITIONS.get(saved.edition)
    return _("{title} ({seats}): {era}, round {round}, played {date} at {time}").format(
        title=info.title if info else saved.edition,
        seats=seats_in_words(saved.seats),
        era=terms.era(saved.era),
        round=saved.round,
        date=f"{played:%Y-%m-%d}",
        time=f"{played:%H:%M}",
    )


def item(number: int, words: str) -> str:
    """An entry of a menu, wrapped between words."""
    from brassmill.cli.map import WIDTH

    head = f"  {number}  "
    width = min(WIDTH, shutil.get_terminal_size((WIDTH, 0)).columns)
    return click.wrap_text(words, width, initial_indent=head, subsequent_indent=" " * len(head))


def menu(
    prompt: Prompt, name: str, players: int | None, seats: str | None
) -> tuple[str, int | None, str]:
    """Ask which game to play and who is playing; Enter accepts the default in brackets."""
    from brassmill.bots.registry import BUILT_IN
    from brassmill.cli.screen import screen_for
    from brassmill.editions import EDITIONS, EditionInfo, edition
    from brassmill.play.seating import default_seats, read_seats, seats_in_words

    numbers = {str(number): info for number, info in enumerate(EDITIONS.values(), 1)}
    for number, info in numbers.items():
        click.echo(f"  {number}  {click.style(info.title, bold=True)}: {_(info.meaning)}")

    def read_edition(answer: str) -> EditionInfo:
        return numbers.get(answer) or EDITIONS[edition(answer).name]

    def read_players(answer: str) -> int:
        if answer not in map(str, info.players):
            raise BrassError(_("type one of these numbers"))
        return int(answer)

    def read_participants(answer: str) -> str:
        if len(read_seats(answer)) != players:
            raise BrassError(_("name {number} players").format(number=players))
        return answer

    info = ask(
        prompt,
        pgettext("edition", "Which game?"),
        str(1 + list(EDITIONS).index(name)),
        read_edition,
    )
    if seats is not None:
        return info.name, players, seats
    if players not in info.players:
        question = _("How many players: {numbers}?").format(
            numbers=", ".join(map(str, info.players))
        )
        players = ask(prompt, question, str(max(info.players)), read_players)
    screen = screen_for(edition(info.name, players))
    screen.commands((kind.local_name, _(kind.meaning)) for kind in BUILT_IN)
    names = seats_in_words(",".join(EXAMPLE[:players]), by=",")
    usual = seats_in_words(default_seats(players), by=",")
    question = _("Who is playing, for example {names}?").format(names=names)
    return info.name, players, ask(prompt, question, usual, read_participants)


def ask(prompt: Prompt, question: str, default: str, read: Callable[[str], T]) -> T:
    """Ask until the answer is valid."""
    while True:
        try:
            return read(prompt.ask(f"{question} [{default}] ") or default)
        except BrassError as error:
            click.echo(error)


def new_game(
    games: SavedGames,
    name: str,
    players: int | None,
    options: dict[str, Any],
    seats: str | None,
    seed: int | None,
) -> tuple[GameFile, SavedGame]:
    """A game that has not started."""
    from brassmill.cli.saved_games import SavedGame
    from brassmill.core.deal import Deal
    from brassmill.editions import edition
    from brassmill.play.seating import default_seats, read_seats, seats_text

    if seats is not None and players is None:
        players = len(read_seats(seats))
    chosen = edition(name, players, **options)
    participants = read_seats(default_seats(chosen.players) if seats is None else seats)
    if len(participants) != chosen.players:
        raise BrassError(
            _("{players} players need {players} seats, not {number}: {seats}").format(
                number=len(participants), players=chosen.players, seats=seats
            )
        )
    saved = SavedGame(
        edition=chosen.name,
        players=chosen.players,
        options=dict(chosen.changed_options),
        seats=seats_text(participants),
        seed=seed,
        began=datetime.now().isoformat(timespec="seconds"),
    )
    if seed is None:
        saved.deal = Deal.random(chosen).to_dict(chosen)
        saved.bot_key = secrets.token_hex(16)
    return games.new_file(chosen.name), saved


# --- playing -------------------------------------------------------------------------------------


def sit_down(games: SavedGames, file: GameFile, saved: SavedGame, clock: float) -> None:
    """Play a game to its end, or until the players leave."""
    from brassmill.bots import BotError
    from brassmill.cli.player import say_where_saved
    from brassmill.cli.screen import screen_for

    resumed = file.path.exists()
    if resumed:
        file.hold()
    try:
        table = table_of(saved, clock)
    except BotError:  # the bot may be installed again later, so the game stays
        file.release()
        raise
    except (ValueError, TypeError, LookupError, AttributeError) as error:
        if not resumed:
            raise
        say_put_aside(file, error)
        file.release()
        sys.exit(1)
    bots = {number: seat.bot.local_text for number, seat in enumerate(table.seats) if seat.bot}
    screen = screen_for(table.game.edition, bots)
    screen.say_narrow()
    keep_on(table, file, saved, screen)
    interrupted = False
    try:
        play_on(table, screen)
        end(games, file, saved, table, screen)
    except (EOFError, KeyboardInterrupt) as left:
        interrupted = isinstance(left, KeyboardInterrupt)
        if len(table.people) > 1:
            screen.clear()  # the next person to look must not see this hand
        screen.print("")
        say_where_saved(screen, table.path)
    finally:
        table.host.close()
        file.release()
    if interrupted:
        sys.exit(INTERRUPTED)


def prepare(more: tuple[str, ...]) -> None:
    """Load the rules; if they must be compiled first, play meanwhile with plain Python."""
    from brassmill.rules import jit
    from brassmill.rules.background import compilation
    from brassmill.rules.warmup import NETWORKS, THINKING, is_cached

    quick = (*THINKING, *NETWORKS)
    if jit.starts_plain() and not {*more} - {*quick} and not is_cached(quick):
        compilation(quick).start()
        click.echo(_("You can play now. The bots will soon be faster."), err=True)
    else:
        warm_up_with_bar(more)


def table_of(saved: SavedGame, clock: float | None = None) -> PlaySession:
    """A saved game, as it was left."""
    from brassmill.bots import registry
    from brassmill.cli.play_session import PlaySession
    from brassmill.core.deal import Deal
    from brassmill.editions import edition
    from brassmill.game import Game
    from brassmill.notation import stored
    from brassmill.play.seating import read_seats
    from brassmill.position.digest import digest_of

    seats = read_seats(saved.seats)
    prepare(registry.compiled(seat.bot for seat in seats if seat.bot))
    chosen = edition(saved.edition, saved.players, **saved.options)
    if saved.seed is None:
        deal, bot_seed = Deal.from_dict(chosen, saved.deal or {}), int(saved.bot_key, 16)
    else:
        deal, bot_seed = Deal.from_seed(chosen, saved.seed), saved.seed
    game = Game(chosen, deal=deal, seats=[seat.name for seat in seats], secret=True)
    table = PlaySession(game, seats, bot_seed, clock)
    try:
        table.replay(stored.read(chosen, move) for move in saved.calls)
        if saved.check not in ("", digest_of(chosen, game.engine.snapshot())):
            raise BrassError(_("it was played with different rules"))
    except Exception:
        table.host.close()
        raise
    return table


def keep_on(table: PlaySession, file: GameFile, saved: SavedGame, screen: Screen) -> None:
    """Save the game now, and again after every choice."""
    from brassmill.core.stamp import stamp_of
    from brassmill.notation import stored
    from brassmill.position.digest import digest_of

    def save() -> None:
        chosen = table.game.edition
        saved.calls = [[*stored.write(chosen, move)] for move in table.moves]
        saved.rules = stamp_of(chosen)
        saved.check = digest_of(chosen, table.game.engine.snapshot())
        saved.era, saved.round = table.game.era, table.game.round
        try:
            file.write(saved)
            table.path = file.path
        except OSError as error:
            if not reported:
                reported.append(error)
                words = _("The game cannot be saved: {reason}").format(reason=error)
                screen.say(words, "red")

    reported: list[OSError] = []
    table.save = save
    table.path = file.path if file.path.exists() else None
    save()


def play_on(table: PlaySession, screen: Screen) -> None:
    """Play turn by turn. If several people share the screen, each looks alone."""
    from brassmill.bots.registry import plays_plain
    from brassmill.cli.player import TerminalPlayer
    from brassmill.cli.prompt import open_prompt
    from brassmill.cli.saved_games import home
    from brassmill.rules.warmup import THINKING, is_compiled

    alone = len(table.people) == 1
    history = (
        home() / "history" if alone else None
    )  # several players must not see each other's lines
    players = {
        seat: TerminalPlayer(table, seat, screen, open_prompt(history)) for seat in table.people
    }
    looking: int | None = table.people[0] if alone else None
    while (seat := table.game.seat) is not None:
        if seat not in players:
            bot = table.seats[seat].bot
            if bot and not is_compiled(THINKING) and not plays_plain(bot):
                warm_up_with_bar(THINKING)
            with thinking(screen, table.game.seats[seat]):
                table.play_bot()
            continue
        if seat != looking:
            screen.clear()
            name = table.game.seats[seat]
            screen.say(_("{name}'s turn. Everyone else, look away.").format(name=name))
            open_prompt().ask(_("{name}, press Enter").format(name=name) + " > ")
            looking = seat
        players[seat].take_turn()
    min(players.values(), key=lambda player: player.seen_forfeits).say_forfeits()


@contextmanager
def thinking(screen: Screen, name: str) -> Iterator[None]:
    """Say who is thinking, if it takes a while."""
    status = screen.console.status(_("{name} is thinking").format(name=name))
    delay = Timer(UNNOTICED, status.start)
    delay.start()
    try:
        yield
    finally:
        delay.cancel()
        delay.join()
        status.stop()


def end(
    games: SavedGames, file: GameFile, saved: SavedGame, table: PlaySession, screen: Screen
) -> None:
    """Show the result, write the whole record, and delete the saved game."""
    from brassmill.cli.player import write_record
    from brassmill.words.log import log_lines

    game, people = table.game, table.people
    view = game.view(people[0] if len(people) == 1 else None)
    outcome = game.outcome()
    assert outcome is not None
    news = max((table.news(seat) for seat in people), key=len)
    screen.print("")
    screen.log(view, list(log_lines(news, game.seats)))
    screen.outcome(view, outcome)
    try:
        path = games.record_path(saved.edition)
        write_record(path, table)
        file.clear()
        screen.say(_("Record of this game:"))
        screen.say(f"  {path}", wrap=False)
    except BrassError as error:
        screen.say(str(error), "red")
    if saved.seed is not None:
        screen.say(_("To play the same deal again:"), "dim")
        screen.say(f"  {again(saved)}", "dim", wrap=False)


def again(saved: SavedGame) -> str:
    """The command that starts the same game again; it needs a chosen seed."""
    said = {True: "yes", False: "no"}
    words = ["play", "--edition", saved.edition, "--players", str(saved.players)]
    for name, value in saved.options.items():
        words += ["--option", f"{name}={said[value] if isinstance(value, bool) else value}"]
    return brass(*words, "--seats", saved.seats, "--seed", str(saved.seed))
