// A module in its worker, as something that can be asked.

import { bytesOf } from "./bytes.js";

const modules = new Map();

export class Agent {
  #worker;
  #waiting = new Map();
  #last = 0;
  /** Called with what the worker tells unasked: events, and views of the games. */
  hear = () => {};

  constructor() {
    const source = document.getElementById("worker").textContent;
    this.#worker = new Worker(URL.createObjectURL(new Blob([source], { type: "text/javascript" })));
    this.#worker.onmessage = ({ data }) => {
      if (data.id === undefined) return this.hear(data);
      const { resolve, reject } = this.#waiting.get(data.id);
      this.#waiting.delete(data.id);
      data.failure ? reject(new Error(data.failure)) : resolve(data.answer);
    };
  }

  ask(question, details = {}) {
    return new Promise((resolve, reject) => {
      const id = ++this.#last;
      this.#waiting.set(id, { resolve, reject });
      this.#worker.postMessage({ id, question, ...details });
    });
  }

  /** Loads a module by its name, and returns what it offers. */
  async open(name) {
    if (!modules.has(name)) modules.set(name, WebAssembly.compile(await bytesOf(name)));
    const module = await modules.get(name);
    const about = await this.ask("open", { module: module });
    return about;
  }

  close() {
    this.#worker.terminate();
  }
}
