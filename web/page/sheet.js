// Franklin's sheet of paper: votes fall onto it, features take their side when they are decided, and then bars grow.

import { meaning } from "./names.js";
import { short, signed } from "./numbers.js";

const SIDES = { "-1": "con", 0: "", 1: "pro" };
/** The longest bar, as a share of its half of the sheet. */
const LONGEST = 0.94;
/** The pixels of a vote. */
const VOTE = 5;
/** A bar shorter than this share is none when it is dragged. */
const NOTHING = 0.03;
/** No more votes than this fall at once. */
const FALLING = 6;

export class Sheet {
  #list;
  #rows = [];
  #weights = [];
  #scale = 1;
  /** Called with all weights when someone has moved one. */
  weigh = () => {};

  constructor(list) {
    this.#list = list;
  }

  /** Begins a sheet for these features. */
  reset(features) {
    this.#list.replaceChildren();
    this.#rows = features.map((feature, number) => this.#row(feature, number));
    this.#weights = features.map(() => 0);
  }

  #row(feature, number) {
    const row = document.createElement("li");
    row.innerHTML = `<span class="name" tabindex="-1"><span></span><small></small></span><span class="figure"></span>
      <span class="meaning" role="tooltip" id="meaning-${number}"></span>
      <div class="track"><i class="votes pro"></i><i class="votes con"></i><i class="bar"></i>
      <span class="handle" role="slider" tabindex="0" aria-valuemin="-100" aria-valuemax="100"></span></div>`;
    const part = (selector) => row.querySelector(selector);
    part(".name span").textContent = feature.name;
    const handle = part(".handle");
    handle.setAttribute("aria-label", `Weight of ${feature.name}`);
    part(".meaning").textContent = meaning(feature.name);
    if (meaning(feature.name)) handle.setAttribute("aria-describedby", `meaning-${number}`);
    this.#drag(part(".track"), handle, number);
    this.#list.append(row);
    return {
      row, handle, name: part(".name small"), figure: part(".figure"), bar: part(".bar"),
      pro: part(".votes.pro"), con: part(".votes.con"), votes: [0, 0], side: undefined,
    };
  }

  #drag(track, handle, number) {
    const moveTo = (event) => {
      const { left, width } = track.getBoundingClientRect();
      // To the left is pro.
      const share = (left + width / 2 - event.clientX) / (width / 2) / LONGEST;
      this.#move(number, Math.abs(share) < NOTHING ? 0 : share * this.#scale);
    };
    track.addEventListener("pointerdown", (event) => {
      if (event.button) return;
      event.preventDefault();
      track.setPointerCapture(event.pointerId);
      track.classList.add("dragging");
      handle.focus({ preventScroll: true });
      moveTo(event);
    });
    track.addEventListener("pointermove", (event) => track.classList.contains("dragging") && moveTo(event));
    for (const end of ["pointerup", "pointercancel"]) track.addEventListener(end, () => track.classList.remove("dragging"));
    handle.addEventListener("keydown", (event) => {
      const steps = { ArrowLeft: 1, ArrowUp: 1, ArrowRight: -1, ArrowDown: -1, PageUp: 5, PageDown: -5 }[event.key];
      if (event.key === "Home") this.#move(number, 0);
      else if (steps) this.#move(number, this.#weights[number] + (steps * this.#scale) / 20);
      else return;
      event.preventDefault();
    });
  }

  #move(number, weight) {
    const weights = [...this.#weights];
    weights[number] = Math.max(-this.#scale, Math.min(this.#scale, weight));
    this.weigh(weights);
  }

  /** Shows a story; weights that someone has set by hand go before those that were learned. */
  show(story, byHand, isLively) {
    const weights = byHand ?? story.weights;
    const hasVotes = story.votes.some(([pro, con]) => pro + con > 0);
    const isWeighed = Boolean(byHand) || story.phase !== "Directions";
    if (isWeighed || story.ended) for (const vote of this.#list.querySelectorAll(".vote")) vote.remove();
    this.#list.classList.toggle("weights", isWeighed);
    const largest = Math.max(...story.weights.map(Math.abs), ...(byHand ?? []).map(Math.abs), 0);
    // While a bar is dragged the others keep their length.
    this.#scale = byHand ? Math.max(this.#scale, largest) : largest || 1;
    this.#weights = this.#rows.map((_, number) => weights[number] ?? 0);
    this.#rows.forEach((row, number) => this.#fill(row, number, { story, isWeighed, hasVotes, isLively, isByHand: Boolean(byHand) }));
  }

  #fill(row, number, { story, isWeighed, hasVotes, isLively, isByHand }) {
    const weight = this.#weights[number];
    const direction = story.directions[number] ?? 0;
    const side = isWeighed ? (weight > 0 ? "pro" : weight < 0 ? "con" : SIDES[direction]) : SIDES[direction];
    if (side !== row.side) {
      row.row.dataset.side = side;
      row.row.classList.remove("snap");
      if (side && row.side !== undefined && isLively) {
        void row.row.offsetWidth; // so that the animation begins again
        row.row.classList.add("snap");
      }
      row.side = side;
    }
    const votes = story.votes[number] ?? [0, 0];
    if (isLively && !isWeighed) this.#fall(row, votes);
    row.votes = votes;
    row.name.textContent = hasVotes ? `${votes[0]} : ${votes[1]}` : "";
    row.name.title = "votes for and against";
    const room = this.#list.clientWidth / 2 - 12;
    const each = Math.min(VOTE, room / Math.max(1, ...story.votes.flat()));
    for (const [mark, amount] of [[row.pro, votes[0]], [row.con, votes[1]]]) {
      mark.style.width = isWeighed ? "0" : `${amount * each}px`;
    }
    const share = isWeighed ? (weight / this.#scale) * LONGEST * 50 : 0;
    const { style } = row.bar;
    row.bar.className = `bar ${share > 0 ? "pro" : "con"}`;
    style.width = `${Math.abs(share)}%`;
    style.marginLeft = share > 0 ? `-${share}%` : "0";
    row.handle.style.left = `${50 - share}%`;
    row.handle.setAttribute("aria-valuenow", String(Math.round((100 * weight) / this.#scale)));
    const isNothing = isByHand && !weight;
    row.row.classList.toggle("nothing", isNothing);
    const words = isNothing ? "weight 0" : side ? `${side}, weight ${short(weight)}` : "undecided";
    row.handle.setAttribute("aria-valuetext", `${words}, ${votes[0]} votes for, ${votes[1]} against`);
    row.figure.textContent = isNothing || (isWeighed && weight) ? signed(weight) : "";
  }

  /** Lets new votes fall onto the sheet. */
  #fall({ row, votes: before }, votes) {
    votes.forEach((amount, side) => {
      const fresh = Math.min(amount - before[side], 1);
      if (fresh <= 0 || row.querySelectorAll(".vote").length >= FALLING) return;
      const vote = document.createElement("i");
      vote.className = `vote ${side ? "con" : "pro"}`;
      const place = Math.min(amount * VOTE, this.#list.clientWidth / 2 - 12);
      vote.style.left = `calc(50% ${side ? "+" : "-"} ${place}px)`;
      vote.addEventListener("animationend", () => vote.remove());
      row.append(vote);
      setTimeout(() => vote.remove(), 600);
    });
  }
}
