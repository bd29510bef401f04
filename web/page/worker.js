// The worker: one module of WebAssembly, which learns in short pieces, so that it can be asked anything in between.

const PIECE = 8; // milliseconds of learning between two looks at what was asked
const FRAME = 33; // milliseconds between two views of the games

let wasm;
const run = { isRunning: false, isDone: true, pace: null, due: 0, calls: 0, slices: 256, busy: 0 };
const games = { rate: 4, due: 0, isHeld: false, seen: 0 };

/** Asks the module, and returns its answer as bytes. */
function bytes(question, ...numbers) {
  const length = wasm[question](...numbers);
  return new Uint8Array(wasm.memory.buffer, wasm.output(), length);
}

function ask(question, ...numbers) {
  return JSON.parse(new TextDecoder().decode(bytes(question, ...numbers)));
}

function give(input) {
  const from = wasm.input(input.byteLength);
  new Uint8Array(wasm.memory.buffer, from, input.byteLength).set(new Uint8Array(input));
}

function halves(seed) {
  const wide = BigInt.asUintN(64, BigInt(seed));
  return [Number(wide & 0xffffffffn), Number(wide >> 32n)];
}

function learn(slices, iterations) {
  const began = performance.now();
  const { progress, events } = ask("learn", slices, iterations);
  run.busy += performance.now() - began;
  run.isDone = progress.is_done;
  for (const { event } of events) run.calls = event.Learned?.calls ?? run.calls;
  if (events.length) postMessage({ events, busy: run.busy });
  if (run.isDone) run.isRunning = false;
  return performance.now() - began;
}

/** As much as the pace allows. */
function work(now) {
  if (!run.pace) {
    const took = learn(run.slices, 1e9);
    run.slices = Math.max(16, Math.min(1e6, Math.round((run.slices * PIECE) / Math.max(took, 0.5))));
    return;
  }
  // After a pause the time that has passed is not made up for.
  run.due = Math.max(run.due, now - 250);
  const until = now + PIECE;
  while (run.isRunning && run.due <= now && performance.now() < until) {
    const before = run.calls;
    learn(1e9, 1);
    run.due += 1000 * (run.pace.iteration + run.pace.call * (run.calls - before));
  }
}

function play(now) {
  if (!games.isHeld && now >= games.due) {
    const actions = Math.min(200, Math.max(1, Math.floor(((now - games.due) * games.rate) / 1000)));
    ask("play", actions);
    games.due = Math.max(games.due + (1000 * actions) / games.rate, now - 250);
  }
  if (now - games.seen >= FRAME) {
    games.seen = now;
    postMessage({ view: ask("view") });
  }
}

const channel = new MessageChannel();
let isAwake = false;
channel.port1.onmessage = () => {
  const now = performance.now();
  isAwake = false;
  if (run.isRunning) work(now);
  if (games.rate > 0) play(now);
  wake();
};

/** Goes on at once if there is work, and soon if not. */
function wake() {
  if (isAwake || !wasm) return;
  isAwake = true;
  if (run.isRunning && !run.pace) channel.port2.postMessage(0);
  else setTimeout(() => channel.port2.postMessage(0), 8);
}

function began(answer) {
  if (answer.error) return answer;
  Object.assign(run, { isRunning: false, isDone: false, due: performance.now(), calls: 0, busy: 0 });
  games.due = performance.now();
  learn(0, 0);
  postMessage({ view: ask("view") });
  wake();
  return answer;
}

const answers = {
  async open({ module }) {
    wasm = (await WebAssembly.instantiate(module, {})).exports;
    return ask("about");
  },
  start: ({ learner, seed, iterations }) => began(ask("start", learner, ...halves(seed), iterations ?? 0)),
  resume({ learner, file }) {
    give(file);
    return began(ask("resume", learner));
  },
  /** Between two iterations a run can be saved, so one that is under way is completed. */
  save() {
    let file = bytes("save").slice();
    if (!file.length) {
      learn(1e9, 1);
      file = bytes("save").slice();
    }
    return file;
  },
  go({ isRunning, pace }) {
    if (isRunning !== undefined) run.isRunning = isRunning && !run.isDone;
    if (pace !== undefined) run.pace = pace;
    run.due = performance.now();
    wake();
    return { isRunning: run.isRunning };
  },
  step() {
    run.isRunning = false;
    if (!run.isDone) learn(1e9, 1);
    return {};
  },
  games({ rate, isHeld }) {
    Object.assign(games, rate === undefined ? {} : { rate }, isHeld === undefined ? {} : { isHeld });
    games.due = performance.now();
    return {};
  },
  act({ actions }) {
    ask("play", actions);
    return ask("view");
  },
  judge: () => ask("judge"),
  ledger: ({ rank }) => ask("ledger", rank),
  weigh({ weights }) {
    if (!weights) return ask("release");
    give(Float32Array.from(weights).buffer);
    return ask("weigh");
  },
  hear({ stream }) {
    give(stream);
    return ask("hear");
  },
  /** A whole run, and what a game earns after some of its iterations. */
  survey({ learner, seed, at, games: count, actions }) {
    ask("start", learner, ...halves(seed), 0);
    const scores = [];
    for (const iteration of at) {
      for (let done = -1; done < iteration; ) {
        const { progress } = ask("learn", 1e9, 1);
        if (progress.is_done || progress.iterations >= iteration) break;
        done = progress.iterations;
      }
      scores.push(ask("score", count, actions, ...halves(seed)));
    }
    return { scores };
  },
};

onmessage = async ({ data: { id, question, ...details } }) => {
  try {
    postMessage({ id, answer: await answers[question](details) });
  } catch (error) {
    postMessage({ id, failure: String(error) });
  }
};
