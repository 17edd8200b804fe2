"""Stories of motion and sound: what an action moves is seen and heard, and nothing waits for it."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from brassmill.web.models import Seat
from brassmill.web.table import sessions
from brassmill.web.table.session import TableSession
from support.browser import PHONE, Player, Visitor, press, seen, wait_for_change, wait_for_turn
from support.web import make_table, no_bots, play_turn

Visit = Callable[..., Visitor]

# Motion stays at its beginning until something ends it.
HOLD = """
const {animate} = Element.prototype;
Element.prototype.animate = function (...how) {
  const animation = animate.apply(this, how);
  animation.pause();
  return animation;
};
const {requestAnimationFrame: frame} = window;
window.requestAnimationFrame = (step) => frame(() => step(0));
"""
MOVING = """() => document.getAnimations().filter(({id}) => id).map(({id, effect: {target}}) =>
  [id, target.closest("#sheet .space, #sheet .line")?.id || target.getAttribute("class")])"""
PLAY = """(choices) => {
  const form = document.getElementById("choose");
  form.elements.choice.value = choices.join(" ");
  form.requestSubmit();
}"""
# Polls wait for `poll()`, and the page can be sent to the background.
AWAY = """
const polls = [];
window.setInterval = (poll) => polls.push(poll);
window.poll = () => polls.forEach((each) => each());
let away = false;
Object.defineProperty(document, "hidden", {get: () => away});
window.leave = (now) => { away = now; document.dispatchEvent(new Event("visibilitychange")); };
"""
# Audio without a device: what is set up, how many sounds are started, and which tones.
SILENT = """
window.audio = {contexts: 0, sounds: 0};
window.tones = [];
const value = (set) => ({value: 0, setValueAtTime: set, exponentialRampToValueAtTime() {}});
const node = () => ({
  gain: value(() => {}),
  frequency: value((hertz) => tones.push(hertz)),
  connect: (to) => to,
  start() { audio.sounds++; },
  stop() {},
});
window.AudioContext = class {
  constructor() { audio.contexts++; }
  currentTime = 0;
  sampleRate = 8000;
  createGain = node;
  createOscillator = node;
  createBufferSource = node;
  createBiquadFilter = node;
  createBuffer() { return {getChannelData: () => new Float32Array(1)}; }
  resume() {}
  suspend() {}
};
"""
SOUNDS = "() => audio.sounds"
HAS_RUNG = """async () => {
  const {play} = await import("/static/web/sound.js"), heard = tones.splice(0);
  play("turn");
  return tones.splice(0).every((tone) => heard.includes(tone));
}"""
TOKENS = re.compile(r'(?<=data-stamp=")\w*|(?<=value=")\w*|\b\w{64}\b')  # differ by table
MOTION = {"reduced_motion": "no-preference"}


def wishes(screen: str) -> dict[str, Any]:
    """Return a browser with motion."""
    phone = {"viewport": PHONE, "has_touch": True, "is_mobile": True}
    return MOTION | (phone if screen == "phone" else {})


def action_with(session: TableSession, *kinds: str) -> list[int]:
    """Return the choices of an action with these kinds of event; others play until Ada has one."""
    while True:
        while session.to_move != 0:
            play_turn(session)
        for choice in session.game.legal_choices().ids:
            game, choices = session.game.copy(), [choice]
            events = game.choose(choice)
            while game.question not in ("action", "turn over"):
                choices.append(game.legal_choices().ids[0])
                events += game.choose(choices[-1])
            if {*kinds} <= {event.kind for event in events}:
                return choices
        play_turn(session)


def table_with(ada: Visitor, *kinds: str) -> tuple[Page, list[int]]:
    """Return a table where Ada can take such an action, and its choices."""
    with no_bots():
        session = sessions.get(make_table("Ada,random,random", seed=1, key=ada.key).id)
        choices = action_with(session, *kinds)
    page = ada.sit_down(session.table.id)
    return page, choices


def take(page: Page, choices: list[int]) -> None:
    """Take an action, all its choices at once."""
    stamp = seen(page).stamp
    page.evaluate(PLAY, choices)
    wait_for_change(page, stamp)


def moving(page: Page) -> dict[str, set[str]]:
    """Return what moves: the elements, or their classes, by kind of motion."""
    found: dict[str, set[str]] = {}
    for kind, element in page.evaluate(MOVING):
        found.setdefault(kind, set()).add(element)
    return found


# --- motion --------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize(
    ("screen", "kinds", "expected"),
    [
        ("desktop", ("built", "coal_used", "flipped"), {"card", "tile", "cube", "flip"}),
        ("phone", ("built", "iron_used"), {"card", "tile", "cube"}),
        ("desktop", ("sold", "barrel_used"), {"card", "cube", "flip"}),
        ("phone", ("linked",), {"card", "link"}),
    ],
    ids=["build", "build on a phone", "sell", "network on a phone"],
)
def test_an_action_is_shown_in_motion(
    visit: Visit, screen: str, kinds: tuple[str, ...], expected: set[str]
) -> None:
    ada = visit(**wishes(screen))
    ada.context.add_init_script(HOLD)
    page, choices = table_with(ada, *kinds)
    take(page, choices)
    found = moving(page)
    assert expected <= found.keys()
    assert found.keys() <= {*expected, "cube", "flip", "change", "row"}
    assert found["card"] == {"flying own-card"}
    told = page.locator("#happened li").last.get_attribute("data-moves") or ""
    for kind, words in re.findall(r"(tile|link|flip) (?:\d )?([\w-]+)", told):
        assert words in found[kind]
        if kind == "flip" and f" {words}" not in " ".join(re.findall(r"tile \d [\w-]+", told)):
            expect(page.locator(f"#{words} .tile")).to_have_count(2)  # both sides
    for goods in re.findall(r"cube (\w+)", told):
        assert f"flying {goods}" in found["cube"]


def test_motion_lasts_a_quarter_of_a_second(visit: Visit) -> None:
    ada = visit(**MOTION)
    ada.context.add_init_script(HOLD)
    page, choices = table_with(ada, "built", "coal_used", "flipped")
    take(page, choices)
    lengths = page.evaluate(
        """() => document.getAnimations().filter(({id}) => id && id !== "change")
          .map(({effect}) => effect.getTiming().duration)"""
    )
    assert lengths and all(200 <= length <= 300 for length in lengths)


@pytest.mark.slow
@pytest.mark.parametrize("screen", ["desktop", pytest.param("phone", marks=pytest.mark.slow)])
def test_a_click_a_key_or_an_update_ends_motion_and_the_page_is_as_without(
    visit: Visit, screen: str
) -> None:
    pages = []
    for wish in ("no-preference", "reduce"):
        ada = visit(**wishes(screen) | {"reduced_motion": wish})
        ada.context.add_init_script(HOLD)
        pages.append(table_with(ada, "built", "coal_used", "flipped"))
    (lively, choices), (calm, same) = pages
    assert choices == same

    def look(page: Page) -> str:
        page.mouse.move(5, 5)
        body: str = page.evaluate("() => document.body.innerHTML")
        table = page.url.rstrip("/").rpartition("/")[2]
        return TOKENS.sub("", body.replace(table, "table"))

    def interrupt(page: Page, how: str) -> None:
        if how == "click":
            page.mouse.down()
            page.mouse.up()
        else:
            page.keyboard.press("Shift")

    for page in (lively, calm):
        take(page, choices)
    assert moving(lively) and not moving(calm)
    assert look(lively) != look(calm)  # or the comparison would show nothing
    for page in (lively, calm):
        interrupt(page, "click")
    assert not moving(lively)
    assert look(lively) == look(calm)
    for page in (lively, calm):
        press(page, "#undo")
        take(page, choices)
        press(page, "#reset")  # an update while things move
    assert not lively.locator(".flying:not(.change)").count()
    for page in (lively, calm):
        interrupt(page, "key")
    assert not moving(lively)
    assert look(lively) == look(calm)


@pytest.mark.slow
def test_nothing_moves_when_too_much_has_happened_or_nobody_looks(visit: Visit) -> None:
    ada = visit(**MOTION)
    ada.context.add_init_script(HOLD)
    ada.context.add_init_script(AWAY)
    page = ada.sit_down(make_table("Ada,random,random", seed=1, key=ada.key).id)
    other = ada.open(page.url)
    wait_for_turn(other)
    stamp = seen(page).stamp
    page.evaluate("() => leave(true)")
    Player(other, seed=1).turn()
    page.evaluate("() => leave(false)")
    wait_for_change(page, stamp)
    assert moving(page).keys() <= {"row", "change"}
    # In the background, one turn's actions do not move anything either.
    wait_for_turn(page)
    stamp = seen(page).stamp
    page.evaluate("() => leave(true)")
    player = Player(other, seed=2)
    while seen(other).asked != "turn over":
        player.step()
    page.evaluate("() => poll()")
    wait_for_change(page, stamp)
    assert not moving(page)


# --- sound ---------------------------------------------------------------------------------------


@pytest.mark.slow
def test_sounds_begin_after_the_first_click_and_can_be_switched_off(visit: Visit) -> None:
    ada = visit()
    ada.context.add_init_script(SILENT)
    page, choices = table_with(ada, "built")
    assert page.evaluate("() => audio") == {"contexts": 0, "sounds": 0}
    take(page, choices)  # by a script: nobody has clicked yet
    assert page.evaluate("() => audio") == {"contexts": 0, "sounds": 0}
    press(page, "#reset")
    assert page.evaluate("() => audio") == {"contexts": 1, "sounds": 0}
    take(page, choices)
    assert page.evaluate(SOUNDS) > 0
    press(page, "#reset")
    switch, muted = page.locator("#sound"), page.locator("#muted")
    expect(muted).to_be_hidden()
    page.get_by_role("button", name="Menu").click()
    page.get_by_role("switch", name="Sound").uncheck()
    page.keyboard.press("Escape")
    expect(muted).to_be_visible()
    before = page.evaluate(SOUNDS)
    take(page, choices)
    assert page.evaluate(SOUNDS) == before
    page.reload()
    wait_for_turn(page)
    expect(muted).to_be_visible()
    expect(switch).not_to_be_checked()
    press(page, "#reset")
    take(page, choices)
    assert page.evaluate("() => audio") == {"contexts": 0, "sounds": 0}
    page.keyboard.press("m")
    expect(muted).to_be_hidden()
    expect(page.locator("#spoken")).to_have_text("Sound on")
    assert page.evaluate(SOUNDS) > 0  # it can be heard that it is on
    page.keyboard.press("m")
    expect(switch).not_to_be_checked()
    expect(page.locator("#spoken")).to_have_text("Sound off")


@pytest.mark.slow
@pytest.mark.parametrize("is_away", [True, False], ids=["background", "foreground"])
def test_a_bell_rings_when_a_players_turn_comes(visit: Visit, is_away: bool) -> None:
    ada, ben = visit(), visit()
    table = make_table("Ada,Ben", seed=3, key=ada.key)
    Seat.objects.filter(table=table, number=1).update(holder=ben.key)
    first = sessions.get(table.id).to_move
    mover, waiter = (ada, ben) if first == 0 else (ben, ada)
    for who in (mover, waiter):
        who.context.add_init_script(SILENT)
    waiter.context.add_init_script(AWAY)
    page, other = waiter.open(f"/t/{table.id}/"), mover.sit_down(table.id)
    page.locator("#question").click()  # sound is allowed from now on
    if is_away:
        page.evaluate("() => leave(true)")
    player, stamp = Player(other, seed=1), seen(page).stamp
    while seen(other).asked != "turn over":
        player.step()
    other.locator("#primary").click()
    expect(other.locator("#table")).to_have_attribute("data-yours", "0")
    if is_away:
        assert page.evaluate(SOUNDS) == 0
        page.evaluate("() => poll()")
    wait_for_change(page, stamp)
    assert seen(page).yours
    assert page.evaluate(HAS_RUNG)
    assert other.evaluate(SOUNDS) > 0 and not other.evaluate(HAS_RUNG)
