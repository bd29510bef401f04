// Why this move: the state of the learned player, its moves, and what speaks for and against each.

import { compared, meaning } from "./names.js";
import { plural, short } from "./numbers.js";
import { draw, isFresh } from "./picture.js";

export class Why {
  #agent;
  #part;
  #verdict = null;
  #rank = 0;
  #features = [];
  #lastAsked = 0;
  /** The last look, until it is over: what it finds replaces what the worker knows of the moves before. */
  #looking = null;
  /** By what the player acts, in words. */
  by = "";
  /** Called when someone wants to look at the moves in peace. */
  hold = () => {};

  constructor(agent, root) {
    this.#agent = agent;
    const part = (id) => root.getElementById(id);
    this.#part = { lead: part("why-lead"), hold: part("hold"), prompt: part("why-prompt"), picture: part("why-picture"), moves: part("moves"), ledger: part("ledger") };
    const { picture, moves } = this.#part;
    picture.addEventListener("pointermove", (event) => this.#point(event));
    picture.addEventListener("pointerdown", (event) => this.#point(event));
    for (const event of ["pointerover", "click"]) {
      moves.addEventListener(event, ({ target }) => {
        const move = target.closest("li");
        if (move) this.#choose([...moves.children].indexOf(move));
      });
    }
    moves.addEventListener("keydown", (event) => {
      const to = { ArrowDown: this.#rank + 1, ArrowUp: this.#rank - 1, Home: 0, End: moves.children.length - 1 }[event.key];
      if (to === undefined) return;
      event.preventDefault();
      this.#choose(Math.max(0, Math.min(moves.children.length - 1, to)));
    });
  }

  reset(features) {
    this.#features = features;
    this.#verdict = null;
  }

  /** Returns whether there is nothing to explain, since the game is over. */
  get isOver() {
    return this.#verdict?.actions.length === 0;
  }

  /** Takes the state of now, and explains the best move in it. */
  look() {
    this.#looking = this.#look();
  }

  async #look() {
    const asked = ++this.#lastAsked;
    const verdict = await this.#agent().ask("judge");
    if (asked !== this.#lastAsked || verdict.error) return;
    this.#verdict = verdict;
    const { moves, lead, ledger, picture, prompt, hold } = this.#part;
    for (const part of [moves, prompt, hold]) part.hidden = this.isOver;
    moves.replaceChildren(...verdict.actions.map(({ does, score }, rank) => {
      const move = document.createElement("li");
      move.id = `move-${rank}`;
      move.role = "option";
      move.append(`${rank + 1}. ${does}`);
      const points = document.createElement("span");
      points.textContent = short(score);
      move.append(points);
      return move;
    }));
    if (!this.isOver) return this.#explain(0);
    lead.textContent = "No move is left: the game is over.";
    ledger.replaceChildren();
    draw(picture, verdict.picture);
  }

  /** Ends the list with a whole row, once the ledger beside it has taken its width. */
  #fit() {
    const { moves } = this.#part;
    moves.style.maxHeight = "";
    const { top, bottom } = moves.getBoundingClientRect();
    const ends = [...moves.children].map((move) => move.getBoundingClientRect().bottom + moves.scrollTop);
    const end = ends.findLast((end) => end + moves.clientTop <= bottom);
    if (end) moves.style.maxHeight = `${end + moves.clientTop - top}px`;
  }

  async #choose(rank) {
    this.hold();
    await this.#looking;
    if (this.#verdict?.actions[rank]) this.#explain(rank);
  }

  /** The best move that adds something where the pointer is. */
  async #point({ target, clientX, clientY }) {
    this.hold();
    await this.#looking;
    if (!this.#verdict?.picture) return;
    const { left, top, width, height } = target.getBoundingClientRect();
    const { picture, actions } = this.#verdict;
    const x = Math.floor(((clientX - left) / width) * picture.width);
    const y = Math.floor(((clientY - top) / height) * picture.height);
    const isThere = (action) => isFresh(action.picture, picture, x, y);
    const rank = actions.findIndex(isThere);
    if (rank >= 0 && rank !== this.#rank) this.#explain(rank);
  }

  async #explain(rank) {
    this.#rank = rank;
    const asked = ++this.#lastAsked;
    const { picture, actions } = this.#verdict;
    draw(this.#part.picture, actions[rank].picture, picture);
    [...this.#part.moves.children].forEach((move, i) => move.setAttribute("aria-selected", String(i === rank)));
    const chosen = this.#part.moves.children[rank];
    this.#part.moves.setAttribute("aria-activedescendant", chosen.id);
    const { offsetTop, offsetHeight } = chosen;
    const { moves } = this.#part;
    const from = offsetTop - moves.offsetTop;
    if (from < moves.scrollTop || from + offsetHeight > moves.scrollTop + moves.clientHeight) moves.scrollTop = from;
    const sheet = await this.#agent().ask("ledger", { rank });
    if (sheet && !sheet.error && asked === this.#lastAsked) this.#write(sheet, rank, actions);
  }

  #write({ does, against, pro, con, totals, balance, sign, exponent }, rank, actions) {
    const rival = against === 2 ? "the second best" : "the best";
    const { does: instead } = actions[against === 2 ? 1 : 0];
    const title = rank === 0 ? `Its next move: ${does}` : `Why not ${does}?`;
    const versus = against ? (rank === 0 ? `, rather than ${rival}, ${instead}` : ` Held against ${rival}, ${instead}.`) : "";
    this.#part.lead.textContent = `${plural(actions.length, "move")}, ranked by ${this.by}.`;
    const scale = exponent ? ` In units of 1e${exponent}.` : "";
    const rows = Array.from({ length: Math.max(pro.length, con.length) }, (_, i) => `<tr><td>${this.#reason(pro[i])}</td><td>${this.#reason(con[i])}</td></tr>`);
    const isStruck = [...pro, ...con].some(({ struck }) => struck);
    const isEmpty = !pro.length && !con.length;
    const outcome = !against ? "There is no other move." : isEmpty ? "It knows of no difference between them." : sign > 0 ? `For it: ${balance} more than ${rival}.` : sign < 0 ? `Against it: ${balance} less than ${rival}.` : `As good as ${rival}.`;
    this.#part.ledger.innerHTML = `<table><caption></caption><thead><tr><th scope="col" class="pro">Pro</th><th scope="col" class="con">Con</th></tr></thead>
      <tbody>${rows.join("")}<tr class="sum"><td><div class="reason"><span>together</span><b>${totals[0]}</b></div></td><td><div class="reason"><span>together</span><b>${totals[1]}</b></div></td></tr></tbody></table>
      <p class="verdict ${sign < 0 ? "con" : sign > 0 ? "pro" : ""}"><b>${outcome}</b></p>
      <p class="hint">A reason counts for its weight, times how much the moves differ in it: less of a con is a pro.${isStruck ? " Reasons on both sides that weigh about the same are struck out." : ""}${scale}</p>`;
    this.#part.ledger.querySelector("caption").textContent = title + versus;
    this.#fit();
  }

  #reason(reason) {
    if (!reason) return "";
    const name = this.#features[reason.feature].name.replace(/[<&"]/g, "");
    const tag = reason.struck ? "s" : "span";
    return `<div class="reason"><${tag} title="${meaning(name)}">${compared(name, reason.more)}</${tag}><b>${reason.struck ? `<s>${reason.weight}</s>` : reason.weight}</b></div>`;
  }
}
