// A hundred seeds: the curve of one learner, as the paper's figure 2 has several.

import { Agent } from "./agent.js";
import { drawSurvey } from "./chart.js";
import { count } from "./numbers.js";

const SEEDS = 100;
/** The iterations after which policies are tried, in how many games of how many actions at the most. */
const AT = [1, 5, 10, 20, 40, 80, 120, 160, 200, 250, 300, 350, 400];
const GAMES = 2;
const ACTIONS = 20000;

/** Runs all seeds on all cores. `isWanted` tells when to stop. Returns how many were run. */
export async function survey({ module, learner, unit, chart, tell, isWanted }) {
  const cores = Math.max(1, Math.min(8, (navigator.hardwareConcurrency || 2) - 1));
  const runs = [];
  let next = 1;
  const work = async () => {
    const agent = new Agent();
    await agent.open(module);
    while (next <= SEEDS && isWanted()) {
      const { scores } = await agent.ask("survey", { learner, seed: String(next++), at: AT, games: GAMES, actions: ACTIONS });
      if (!isWanted()) break;
      runs.push(scores);
      const { mean, error } = drawSurvey(chart, { at: AT, runs, unit });
      tell(`${runs.length} of ${SEEDS} seeds: ${count(mean)} ± ${count(error)} ${unit} a game at the end; games are cut after ${count(ACTIONS)} moves.`);
    }
    agent.close();
  };
  await Promise.all(Array.from({ length: cores }, work));
  return runs.length;
}
