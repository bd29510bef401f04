// The page: controls, and who shows what.

import { Agent } from "./agent.js";
import { Board, hasSerial } from "./board.js";
import { bytesOf } from "./bytes.js";
import { CATALOG, LEARNERS } from "./catalog.js";
import { drawCurve } from "./chart.js";
import { download, readFile, weightsFile } from "./files.js";
import { Games } from "./games.js";
import { compact, count, plural, short } from "./numbers.js";
import { SPEEDS, pace } from "./pace.js";
import { Sheet } from "./sheet.js";
import { Story } from "./story.js";
import { survey } from "./survey.js";
import { Why } from "./why.js";

const $ = (id) => document.getElementById(id);
/** The task of the recorded example. */
const EXAMPLE = "foraging";
/** A move is explained for so many milliseconds before the next. */
const LOOK = 3500;

let agent = new Agent();
let about = null;
let story = new Story();
let board = null;
let byHand = null;
let isRunning = false;
let isHeld = false;
let isSurveying = false;
let isDirty = true;
let lastLook = 0;
let busy = 0;

const sheet = new Sheet($("sheet"));
const games = new Games(document);
const why = new Why(() => agent, document);
const calm = matchMedia("(prefers-reduced-motion: reduce)");

// --- what is asked for, in the address ---

const asked = new URLSearchParams(location.search);
const choice = { entry: CATALOG[0], algorithm: "", seed: "6", speed: 1 };

function readAddress() {
  const task = asked.get("task");
  const features = asked.get("features");
  const ofTask = CATALOG.filter((entry) => entry.task === (task ?? CATALOG[0].task));
  if (!ofTask.length) warn(`?task=${task} is not a task of this page; it has ${[...new Set(CATALOG.map((entry) => entry.task))].join(", ")}.`);
  const entry = ofTask.find((entry) => !features || entry.features === features);
  if (ofTask.length && !entry) warn(`?features=${features} is not a set of ${ofTask[0].task}; it has ${ofTask.map((entry) => entry.features || "one set without a name").join(", ")}.`);
  choice.entry = entry ?? ofTask[0] ?? CATALOG[0];
  choice.algorithm = asked.get("algorithm") ?? "";
  const seed = asked.get("seed") ?? choice.seed;
  if (isSeed(seed)) choice.seed = seed;
  else warn(`?seed=${seed} is not a whole number from 0 to 18446744073709551615.`);
  const speed = SPEEDS.findIndex(({ name }) => name === (asked.get("speed") ?? "stm32f405"));
  if (speed < 0) warn(`?speed=${asked.get("speed")} is not a speed; there are ${SPEEDS.map(({ name }) => name).join(", ")}.`);
  choice.speed = Math.max(speed, 0);
}

const isSeed = (text) => /^\d{1,20}$/.test(text) && BigInt(text) < 1n << 64n;

function writeAddress() {
  const { entry, algorithm, seed, speed } = choice;
  const address = new URLSearchParams({ task: entry.task, ...(entry.features && { features: entry.features }), algorithm, seed, speed: SPEEDS[speed].name });
  if (asked.has("run")) address.set("run", asked.get("run"));
  try {
    history.replaceState(null, "", `?${address}`);
  } catch {
    // From a folder some browsers do not let a page change its address.
  }
}

function warn(text) {
  $("message").textContent = text;
  $("message").hidden = !text;
}

// --- controls ---

function option(value, text) {
  return new Option(text, value);
}

function fillControls() {
  const { entry } = choice;
  const tasks = [...new Set(CATALOG.map(({ task }) => task))];
  $("task").replaceChildren(...tasks.map((task) => option(task, task)));
  $("task").value = entry.task;
  const sets = CATALOG.filter(({ task }) => task === entry.task);
  $("features-field").hidden = sets.length < 2;
  $("features").replaceChildren(...sets.map(({ features, about }) => option(features, about)));
  $("features").value = entry.features;
  $("seed").value = choice.seed;
  $("speed").value = choice.speed;
  showSpeed();
}

function showSpeed() {
  const { about } = SPEEDS[choice.speed];
  $("speed-name").textContent = about;
  $("speed").setAttribute("aria-valuetext", about);
}

function setPace() {
  const speed = SPEEDS[choice.speed];
  agent.ask("go", { pace: pace(speed, choice.entry.task, choice.algorithm) });
  agent.ask("games", { rate: speed.moves });
}

function setRunning(now) {
  isRunning = now;
  const isOver = Boolean(story.ended) && !board;
  $("run").textContent = isOver ? "Run again" : isRunning ? "Pause" : "Run";
  $("restart").hidden = isOver;
  $("step").disabled = isOver || Boolean(board);
  for (const id of ["run", "restart", "save-checkpoint", "open-file"]) $(id).disabled = Boolean(board);
}

async function run(now) {
  const { isRunning } = await agent.ask("go", { isRunning: now });
  setRunning(isRunning);
}

async function step() {
  if (story.ended || board) return;
  await agent.ask("step");
  setRunning(false);
}

/** Loads the module that is chosen, and starts a run. */
async function open(isToRun) {
  stopSurvey();
  await stopListening(false);
  try {
    agent.close();
    agent = new Agent();
    agent.hear = hear;
    about = await agent.open(choice.entry.module);
  } catch (error) {
    warn(error.message);
    return;
  }
  const { learners } = about;
  if (choice.algorithm && !learners.includes(choice.algorithm)) {
    warn(`?algorithm=${choice.algorithm} is not a learner for ${about.task}; there are ${learners.join(", ")}.`);
    choice.algorithm = "";
  }
  choice.algorithm ||= learners[0];
  $("algorithm").replaceChildren(...learners.map((name) => option(name, LEARNERS[name].about)));
  $("algorithm").value = choice.algorithm;
  fillControls();
  await restart(isToRun);
}

async function restart(isToRun) {
  await stopListening(false);
  warn("");
  begin(about.features);
  await agent.ask("start", { learner: about.learners.indexOf(choice.algorithm), seed: choice.seed });
  writeAddress();
  setPace();
  await run(isToRun);
  why.look();
}

/** A clean sheet. */
function begin(features) {
  story = new Story();
  story.features = features;
  busy = 0;
  setByHand(null);
  setHeld(false);
  agent.ask("weigh", {});
  sheet.reset(features);
  games.reset(about.unit);
  why.reset(features);
  $("survey-chart").hidden = true;
  $("survey-text").textContent = "";
  isDirty = true;
}

// --- what is heard ---

function hear({ events, view, busy: spent }) {
  if (events && !board) {
    const wasOver = Boolean(story.ended);
    for (const event of events) story.add(event);
    if (spent !== undefined) busy = spent;
    if (story.ended) setRunning(false);
    // The player acts on what was learned in the end, and so does what is said about it.
    if (story.ended && !wasOver) why.look();
    isDirty = true;
  }
  if (view) {
    if (board) view.own = story.picture;
    games.show(view);
    const now = performance.now();
    if (!isHeld && now - lastLook > (why.isOver ? 0.1 : 1) * LOOK) {
      lastLook = now;
      why.look();
    }
  }
}

// --- what is shown ---

const PHASES = {
  Directions: "First, pros and cons: each best move votes on what is good and what is bad.",
  Weights: "The sides are settled. Now it learns how much each argument weighs.",
  Search: "The sides are settled. Now it searches for weights, by trying many.",
};

function show() {
  requestAnimationFrame(show);
  if (!isDirty) return;
  isDirty = false;
  const isLively = !calm.matches && (Boolean(board) || SPEEDS[choice.speed].board !== undefined);
  sheet.show(story, byHand, isLively);
  showProgress();
  const now = drawCurve($("curve"), story, about?.unit ?? "reward");
  $("curve-text").textContent = now === undefined ? "It is tried out all the while, in games of its own." : `${short(now)} ${about?.unit ?? "reward"} a game now, ${byHand ? "as learned, not by your weights" : "with what was learned"}.`;
  showBits();
}

let lastStatus = "";
function showProgress() {
  const { iteration, calls, hello, ended, decided, features, phase, votes } = story;
  const budget = hello?.budget;
  const of = budget?.Iterations ? ` of ${count(budget.Iterations)}` : "";
  const isStarted = iteration > 0;
  $("phase").textContent = ended ? `Learned, in ${plural(iteration, "iteration")} and ${compact(calls)} calls of the model.` : isStarted ? PHASES[phase] : "It knows the names of its features, and nothing else.";
  const share = Math.round(100 * story.progress);
  $("meter").firstElementChild.style.width = `${share}%`;
  $("meter").setAttribute("aria-valuenow", String(share));
  const left = features.length - decided;
  $("undecided-count").textContent = phase === "Directions" && isStarted ? (left ? `${left} undecided` : "all decided") : isStarted ? "weights" : "";
  const hasVotes = votes.some(([pro, con]) => pro + con > 0);
  $("sheet-hint").textContent = `${hasVotes ? "12 : 3 means twelve votes for and three against; the longest bar weighs most. " : ""}${board ? "" : "Drag a bar, or use the arrow keys on it, and the player changes."}`;
  games.ownText(isStarted ? `${ended ? "" : "iteration "}${count(iteration)}${of}` : "", ended ? "iterations" : `${compact(calls)} calls`);
  const status = ended ? `Learning is complete. ${plural(decided, "feature")} decided.` : isStarted ? `${phase === "Directions" ? `Learning directions, ${decided} of ${features.length} decided` : "Learning weights"}, ${Math.floor(share / 20) * 20} per cent.` : "";
  if (status !== lastStatus) $("status").textContent = lastStatus = status;
  $("by-hand").hidden = !byHand;
  games.credit(Boolean(byHand));
}

function showBits() {
  const { ended, fingerprint } = story;
  $("fingerprint").textContent = ended ? fingerprint : "";
  const spent = !board && ended ? ` Here it took ${(busy / 1000).toFixed(2)} s.` : "";
  $("bits-text").textContent = ended ? `One number for every iteration of this run, the same on a Pico, an STM32F405, your desk and here.${spent}${board ? "" : " See for yourself:"}` : `When the run ends, this is one number for all of it. The lab and a board that start from the same seed come to the same${board ? "." : ":"}`;
  const { entry, algorithm, seed } = choice;
  const features = entry.features ? ` --features ${entry.features}` : "";
  const learner = LEARNERS[algorithm]?.command ?? "";
  $("command").hidden = Boolean(board);
  $("command").textContent = `cargo ipse train --task ${entry.task}${features} ${learner} --seed ${seed}`;
}

// --- weights by hand ---

async function weigh(weights) {
  setByHand(weights);
  isDirty = true;
  await agent.ask("weigh", weights ? { weights } : {});
  if (!isHeld) lastLook = 0;
  why.look();
}

function setByHand(weights) {
  byHand = weights;
  why.by = weights ? "your weights" : "what was learned";
}

function setHeld(now) {
  isHeld = now;
  $("hold").setAttribute("aria-pressed", String(now));
  $("hold").textContent = now ? "Go on" : "Hold";
  agent.ask("games", { isHeld: now });
}

// --- files ---

function saveWeights() {
  const task = story.hello?.task ?? about.task;
  const of = { task, features: story.features };
  // What algorithm a board has is not told in the words of the lab.
  const run = { ...(!board && { algorithm: choice.algorithm }), ...story.record };
  const file = byHand ? weightsFile({ ...of, weights: byHand }) : weightsFile({ ...of, weights: story.weights, run });
  download(`${task}-weights.json`, file, "application/json");
}

async function openFile(file) {
  try {
    const found = readFile(new Uint8Array(await file.arrayBuffer()), about);
    if (found.weights) {
      weigh(found.weights);
      $("files-text").textContent = `The player acts on the weights of ${file.name}.`;
    } else {
      await resume(found, file.name);
    }
  } catch (error) {
    warn(`${file.name} was not opened: ${error.message}.`);
  }
}

/** Goes on from a checkpoint, with whichever learner it is of. */
async function resume({ label, checkpoint }, name) {
  if (label !== about.label) throw new Error(`it is of ${label}; choose that task and these features first (now: ${about.label})`);
  const learners = [choice.algorithm, ...about.learners.filter((learner) => learner !== choice.algorithm)];
  for (const learner of learners) {
    begin(about.features);
    const answer = await agent.ask("resume", { learner: about.learners.indexOf(learner), file: checkpoint });
    if (answer.is_foreign) continue;
    if (answer.error) {
      await restart(false);
      throw new Error(answer.error);
    }
    Object.assign(choice, { algorithm: learner, seed: answer.seed });
    $("algorithm").value = learner;
    fillControls();
    writeAddress();
    warn("");
    $("files-text").textContent = `Resumed after iteration ${count(answer.iterations)} from ${name}.`;
    setPace();
    await run(false);
    return;
  }
  await restart(false);
  throw new Error("it was saved with options that this page does not have");
}

// --- boards ---

async function listen(start) {
  await stopListening(false);
  await run(false);
  stopSurvey();
  const here = new Board(hearBoard, (text) => ($("board-text").textContent = text));
  board = here;
  begin(about.features);
  await agent.ask("hear", { stream: new Uint8Array() });
  $("elsewhere").hidden = false;
  setRunning(false);
  warn("");
  try {
    await start(here);
    if (board === here) why.look();
  } catch (error) {
    if (board !== here) return;
    await stopListening(true);
    $("board-text").textContent = error.name === "NotFoundError" ? "No port was chosen." : `The board cannot be read: ${error.message}`;
  }
}

async function hearBoard(bytes) {
  const { events, skipped, version } = await agent.ask("hear", { stream: bytes });
  if (!board) return;
  for (const event of events) {
    const kind = story.add(event);
    if (kind === "Hello") greet();
    if (kind === "Picture") games.own(story.picture);
    if ((kind === "Learned" || kind === "Ended") && isKnown()) agent.ask("weigh", { weights: story.weights });
    // The moves are judged by the weights that are shown.
    if (kind === "Ended") why.look();
  }
  const { hello, ended } = story;
  const noise = skipped ? ` ${plural(skipped, "byte")} were no telemetry, and were skipped.` : "";
  if (version) $("board-text").textContent = `The board speaks version ${version} of the protocol, which this page cannot read.`;
  else if (hello) $("board-text").textContent = `A board learns ${hello.task} by ${hello.learner}, seed ${story.seed}${ended ? ": done" : ""}.${noise}`;
  else if (skipped) $("board-text").textContent = `Nothing that is telemetry so far.${noise}`;
  isDirty = true;
}

const isKnown = () => story.hello?.task === about.task && story.features.length === about.features.length;

/** The sheet has a row for each feature of the board. */
function greet() {
  const names = story.features.map(({ name }) => name).join();
  if (names === greet.names && $("sheet").children.length === story.features.length) return;
  greet.names = names;
  sheet.reset(story.features);
}

async function stopListening(isToGoOn) {
  if (!board) return;
  const last = board;
  board = null;
  greet.names = "";
  $("elsewhere").hidden = true;
  await last.close();
  showBoardHelp();
  if (isToGoOn) await restart(false);
}

function showBoardHelp() {
  const help = hasSerial() ? "Any board that runs a session of ipse: its telemetry is shown on this screen." : "This browser has no Web Serial (Chromium and its relatives have), but can open a file that `cargo ipse watch --save` recorded.";
  $("board-text").textContent = help;
  $("connect").disabled = !hasSerial();
}

const delay = () => (SPEEDS[choice.speed].board ? 40 / SPEEDS[choice.speed].factor : 0);

// --- a hundred seeds ---

async function runSurvey() {
  if (isSurveying) return stopSurvey();
  isSurveying = true;
  $("survey").textContent = "Stop";
  $("survey-chart").hidden = false;
  const mine = (runSurvey.number = (runSurvey.number ?? 0) + 1);
  const isWanted = () => isSurveying && runSurvey.number === mine;
  const tell = (text) => ($("survey-text").textContent = text);
  tell("Learning…");
  const learner = about.learners.indexOf(choice.algorithm);
  await survey({ module: choice.entry.module, learner, unit: about.unit, chart: $("survey-chart"), tell, isWanted });
  if (isWanted()) stopSurvey();
}

function stopSurvey() {
  isSurveying = false;
  $("survey").textContent = "Run a hundred seeds";
}

// --- wiring ---

function choose(entry) {
  choice.entry = entry;
  choice.algorithm = "";
  open(true);
}

function wire() {
  $("task").onchange = () => choose(CATALOG.find(({ task }) => task === $("task").value));
  $("features").onchange = () => choose(CATALOG.find(({ task, features }) => task === choice.entry.task && features === $("features").value));
  $("algorithm").onchange = () => ((choice.algorithm = $("algorithm").value), restart(true));
  $("seed").onchange = () => {
    const seed = $("seed").value.trim();
    if (!isSeed(seed)) {
      $("seed").value = choice.seed;
      return warn(`${seed || "Nothing"} is not a seed: a whole number from 0 to 18446744073709551615. Seed ${choice.seed} stays.`);
    }
    choice.seed = seed;
    restart(true);
  };
  $("speed").oninput = () => {
    choice.speed = Number($("speed").value);
    showSpeed();
    setPace();
    writeAddress();
  };
  $("controls").onsubmit = (event) => event.preventDefault();
  $("run").onclick = () => (story.ended ? restart(true) : run(!isRunning));
  $("step").onclick = step;
  $("restart").onclick = () => restart(true);
  $("release").onclick = () => weigh(null);
  $("hold").onclick = () => setHeld(!isHeld);
  why.hold = () => isHeld || setHeld(true);
  sheet.weigh = (weights) => board || weigh(weights);
  $("save-weights").onclick = saveWeights;
  $("save-checkpoint").onclick = async () => download(`${about.task}.ckpt`, await agent.ask("save"), "application/octet-stream");
  for (const [button, input, then] of [["open-file", "file", openFile], ["open-recording", "recording", openRecording]]) {
    $(button).onclick = () => $(input).click();
    $(input).onchange = () => {
      const [file] = $(input).files;
      $(input).value = "";
      if (file) then(file);
    };
  }
  $("connect").onclick = () => listen((board) => board.connect());
  $("example").onclick = async () => {
    // The players of the page can then try what the board has learned.
    if (about.task !== EXAMPLE) {
      Object.assign(choice, { entry: CATALOG.find(({ task }) => task === EXAMPLE), algorithm: "" });
      await open(false);
    }
    await listen(async (board) => board.replay(new Uint8Array(await bytesOf("pico")), delay));
  };
  $("disconnect").onclick = () => stopListening(true);
  $("survey").onclick = runSurvey;
  document.addEventListener("keydown", (event) => {
    const isElsewhere = event.target.matches("input, select, button, [role=slider], [role=listbox]") || event.ctrlKey || event.metaKey || event.altKey;
    const key = { " ": "run", s: "step", r: "restart", h: "hold" }[event.key];
    if (!key || isElsewhere || $(key).disabled) return;
    event.preventDefault();
    $(key).click();
  });
  addEventListener("resize", () => (isDirty = true));
}

const openRecording = async (file) => {
  const bytes = new Uint8Array(await file.arrayBuffer());
  listen((board) => board.replay(bytes, delay));
};

readAddress();
fillControls();
wire();
showBoardHelp();
const complaint = $("message").textContent;
await open(asked.get("run") !== "0");
if (complaint) warn(complaint);
show();
document.documentElement.dataset.ready = "1";
