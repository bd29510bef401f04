// The games of both players, and the one in which the agent learns.

import { count, plural, short } from "./numbers.js";
import { draw } from "./picture.js";

/** A change is shown in its colour for so many milliseconds. */
const FRESH = 450;

export class Games {
  #players;
  #unit = "reward";

  constructor(root) {
    const player = (id) => {
      const figure = root.querySelector(`#${id}`);
      const part = (selector) => figure.querySelector(selector);
      return { figure, caption: part("figcaption"), canvas: part("canvas"), score: part(".score"), sub: part(".sub"), before: null, at: 0, text: "" };
    };
    this.#players = { learned: player("learned"), random: player("random"), own: player("own") };
  }

  reset(unit) {
    this.#unit = unit;
    for (const player of Object.values(this.#players)) Object.assign(player, { shown: null, before: null });
  }

  show({ learned, random, own }) {
    this.#standing(this.#players.learned, learned);
    this.#standing(this.#players.random, random);
    this.own(own);
  }

  /** Says by whose weights the player acts. */
  credit(isByHand) {
    this.#players.learned.caption.textContent = isByHand ? "Your weights" : "As learned";
  }

  /** The game of the learner, of this page or of a board. */
  own(picture) {
    this.#picture(this.#players.own, picture);
  }

  ownText(score, sub) {
    this.#players.own.score.textContent = score;
    this.#players.own.sub.textContent = sub;
  }

  #standing(player, { picture, actions, reward, is_over, games, earned, is_counted }) {
    this.#picture(player, picture);
    player.score.textContent = `${count(reward)} ${this.#unit}`;
    const mean = games ? `, ${short(earned / games)} a game before` : "";
    // A game that other weights began has no number: with the next one counting begins anew.
    const state = is_over ? "game over after" : is_counted ? `game ${count(games + 1)}, move` : "move";
    player.sub.textContent = `${state} ${is_over ? plural(actions, "move") : count(actions)}${mean}`;
    player.canvas.setAttribute("aria-label", `${count(reward)} ${this.#unit} after ${plural(actions, "move")}`);
  }

  #picture(player, picture) {
    const now = performance.now();
    const text = picture ? picture.pixels.join() : "";
    if (text !== player.text) {
      Object.assign(player, { before: player.shown, shown: picture, at: now, text });
      draw(player.canvas, picture, player.before);
    } else if (player.before && now - player.at > FRESH) {
      player.before = null;
      draw(player.canvas, picture);
    }
  }
}
