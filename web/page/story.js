// What is known of a run, from the events that it sends: a run of this page or of a board.

export class Story {
  hello = null;
  features = [];
  phase = "Directions";
  iteration = 0;
  calls = 0;
  reward = 0;
  episodes = 0;
  micros = 0;
  directions = [];
  votes = [];
  weights = [];
  ended = null;
  fingerprint = "";
  seed = "";
  picture = null;
  actions = 0;
  /** When directions gave way to weights, in calls. */
  switched = null;
  /** { calls, mean, isWhole }, in the order of calls. */
  curve = [];

  add({ event, seed, fingerprint }) {
    const [[kind, content]] = Object.entries(event);
    if (kind === "Hello") this.#greet(content, seed);
    else if (kind === "Learned") this.#learn(content);
    else if (kind === "Evaluated") this.#evaluate(content);
    else if (kind === "Ended") Object.assign(this, { ended: content, fingerprint, weights: content.weights });
    else if (kind === "Picture") this.picture = { ...content, height: Math.floor((content.pixels.length * 8) / content.width) };
    else if (kind === "Acted") Object.assign(this, { actions: content.actions, micros: content.micros });
    else if (kind === "Beat") this.micros = content.micros;
    return kind;
  }

  #greet(hello, seed) {
    const isOther = this.hello && (this.hello.task !== hello.task || this.seed !== seed || this.hello.learner !== hello.learner);
    if (isOther) Object.assign(this, new Story());
    Object.assign(this, { hello, seed, features: hello.features });
  }

  #learn(learned) {
    // Phases are numbered as in the codec.
    const phase = ["Directions", "Weights", "Search"][learned.phase] ?? "Weights";
    if (this.phase === "Directions" && phase !== "Directions" && this.iteration > 0) this.switched ??= learned.calls;
    // A run that has begun anew.
    if (learned.iteration < this.iteration) Object.assign(this, { curve: [], ended: null, fingerprint: "" });
    const { iteration, calls, reward, episodes, micros, directions, votes, weights } = learned;
    Object.assign(this, { phase, iteration, calls, reward, episodes, micros, directions, votes, weights });
  }

  #evaluate({ calls, reward, episodes, is_whole }) {
    const mean = reward / Math.max(episodes, 1);
    if (this.curve.at(-1)?.calls !== calls) this.curve.push({ calls, mean, isWhole: is_whole });
  }

  /** What is told of a run beside its weights. It has no fingerprint before its end. */
  get record() {
    const { directions, seed, iteration, calls, fingerprint } = this;
    return { directions, seed, iterations: iteration, calls, ...(fingerprint && { fingerprint }) };
  }

  /** From 0 to 1. */
  get progress() {
    if (this.ended) return 1;
    const budget = this.hello?.budget;
    if (!budget) return 0;
    const share = budget.Calls ? this.calls / budget.Calls : this.iteration / budget.Iterations;
    return Math.min(1, share);
  }

  get decided() {
    return this.directions.filter((direction) => direction !== 0).length;
  }
}
