// A few quiet sounds, synthesised: wood, iron, coins and bells. A switch in the menu turns them off,
// and the browser remembers it. Browsers allow sound only after a click or a key, so nothing is set up before.

import { $ } from "./page.js";

const VOLUME = .16;
const AFTER = .11; // seconds between the sounds of one update
const MOST = 4; // sounds of one update
const REST = 5000; // milliseconds of silence after which the audio device is released

let audio = null; // since the first click or key
let resting = 0;

export const isOn = () => localStorage.getItem("sound") !== "off";

// Play a sound by its name: card, tile, link, cube, coin, sale, flip, era or turn.
export function play(name, delay = 0) {
  if (!audio || !isOn()) return;
  audio.context.resume(); // time stands still while it rests, so nothing is missed
  SOUNDS[name](audio.context.currentTime + .02 + delay);
  clearTimeout(resting);
  resting = setTimeout(() => audio.context.suspend(), REST + 1000 * delay);
}

function prepare() {
  const { userActivation } = navigator; // Escape, for one, does not allow sound
  if (audio || !isOn() || userActivation?.hasBeenActive === false) return;
  const context = new AudioContext(), out = context.createGain();
  const hiss = context.createBuffer(1, context.sampleRate / 4, context.sampleRate), samples = hiss.getChannelData(0);
  for (let n = 0; n < samples.length; n++) samples[n] = 2 * Math.random() - 1;
  out.gain.value = VOLUME;
  out.connect(context.destination);
  audio = { context, out, hiss };
}

// --- instruments ---------------------------------------------------------------------------------

// A source that begins at once and dies away.
function fading(source, at, loud, length) {
  const { context, out } = audio, gain = context.createGain();
  gain.gain.setValueAtTime(loud, at);
  gain.gain.exponentialRampToValueAtTime(.0005, at + length);
  gain.connect(out);
  source.start(at);
  source.stop(at + length);
  return gain;
}

function tone(at, hertz, loud, length, to = hertz) {
  const source = audio.context.createOscillator();
  source.frequency.setValueAtTime(hertz, at);
  source.frequency.exponentialRampToValueAtTime(to, at + length);
  source.connect(fading(source, at, loud, length));
}

function hiss(at, hertz, loud, length) {
  const { context } = audio, source = context.createBufferSource(), band = context.createBiquadFilter();
  source.buffer = audio.hiss;
  band.type = "bandpass";
  band.frequency.value = hertz;
  source.connect(band).connect(fading(source, at, loud, length));
}

// The partials of a bell are not multiples of its lowest tone; high ones die away first.
function bell(at, hertz, loud, length) {
  for (const [times, share] of [[1, 1], [2, .6], [2.4, .5], [3, .25], [4.5, .2]]) {
    tone(at, hertz * times, loud * share, length / Math.sqrt(times));
  }
}

function coin(at) {
  tone(at, 2350, .35, .14);
  tone(at, 3720, .2, .2);
}

const SOUNDS = {
  card(at) { hiss(at, 2600, .35, .07); },
  tile(at) { tone(at, 210, 1, .09, 110); hiss(at, 900, .8, .03); }, // wood on wood
  link(at) { for (const later of [0, .09]) { tone(at + later, 1320, .3, .1, 1240); hiss(at + later, 3200, .5, .02); } }, // a hammer
  cube(at) { tone(at, 620, .5, .04, 420); hiss(at, 1800, .5, .02); },
  coin,
  sale(at) { coin(at); coin(at + .07); },
  flip(at) { hiss(at, 1500, .5, .06); tone(at + .06, 320, .7, .06, 200); },
  turn(at) { bell(at, 740, .45, 1.3); },
  era(at) { for (const later of [0, .9]) bell(at + later, 196, .8, 2.6); },
};

// --- what happens --------------------------------------------------------------------------------

document.addEventListener("happened", ({ detail: { moves, turnCame } }) => {
  const names = new Set(moves.map(([kind]) => (kind === "end" ? "era" : kind)));
  const heard = names.has("era") ? ["era"] : [...names].slice(0, MOST);
  if (!document.hidden) heard.forEach((name, place) => play(name, place * AFTER));
  if (turnCame) play("turn", document.hidden ? 0 : heard.length * AFTER);
});

// --- the switch ----------------------------------------------------------------------------------

export function toggleSound() {
  localStorage.setItem("sound", isOn() ? "off" : "on");
  showSwitch();
  $("spoken").textContent = $("muted").dataset[isOn() ? "on" : "off"];
  prepare();
  if (audio) audio.out.gain.value = isOn() ? VOLUME : 0; // what is sounding stops
  play("turn");
}

function showSwitch() {
  $("sound").checked = isOn();
  $("muted").hidden = isOn();
}

$("sound").addEventListener("change", toggleSound);
window.addEventListener("storage", showSwitch); // switched in another tab
for (const gesture of ["pointerup", "keydown"]) document.addEventListener(gesture, prepare, true);
showSwitch();
