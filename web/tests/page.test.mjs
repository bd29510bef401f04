// The page in a browser. `cargo xtask test page` builds it, asks the lab what to expect, and runs this.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, before, beforeEach, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { launch, open } from './browser.mjs';

const { IPSE_PAGE: PAGE, IPSE_FOLDER: FOLDER, IPSE_LAB: LAB, IPSE_SHOTS: SHOTS, IPSE_EXPECTED } = process.env;
const EXPECTED = IPSE_EXPECTED.split('\n').map((line) => line.split(/=(?=[0-9a-f]{16}$)/));
const RECORDING = readFileSync(new URL('../recordings/pico.ipse', import.meta.url));
const SCRATCH = mkdtempSync(join(tmpdir(), 'ipse-page-files-'));
// Nothing here is about speed: a busy machine gets all the time it needs.
const PATIENCE = { timeout: 300_000 };

let context;
let page;
let complaints;
/** Where the page is; it asks for nothing that is elsewhere. */
let home;

before(async () => {
  mkdirSync(SHOTS, { recursive: true });
  context = await launch({ viewport: { width: 1280, height: 900 }, acceptDownloads: true });
  context.setDefaultTimeout(PATIENCE.timeout);
});
after(() => context.close());

beforeEach(async () => watch(await context.newPage()));

function watch(next) {
  page = next;
  [complaints, home] = [[], PAGE];
  page.on('console', (message) => ['error', 'warning'].includes(message.type()) && complaints.push(message.text()));
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('requestfailed', (request) => complaints.push(`failed: ${request.url()}`));
  page.on('request', (request) => {
    const isOwn = request.url().startsWith(home) || /^(blob|data|file):/.test(request.url());
    if (!isOwn) complaints.push(`asked for ${request.url()}`);
  });
}
afterEach(async () => {
  await page.close();
  assert.deepEqual(complaints, []);
});

const text = (id) => page.locator(`#${id}`).textContent();
const until = (check, argument) => page.waitForFunction(check, argument, PATIENCE);
const ended = () => until(() => document.getElementById('fingerprint').textContent);
const start = (query) => open(page, `${home}?${query}`);
/** Waits until so many iterations are complete. */
const iterated = (iterations) => until((n) => document.querySelector('#own .score').textContent.includes(` ${n} of`), iterations);
const iteration = async () => Number(/\d+/.exec(await page.textContent('#own .score'))?.[0] ?? 0);
const weights = () => page.locator('#sheet .handle').evaluateAll((all) => all.map((one) => Number(one.ariaValueNow)));
const lab = (...words) => execFileSync(LAB, words, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });

async function downloaded(button, name) {
  const [download] = await Promise.all([page.waitForEvent('download'), page.click(button)]);
  const file = join(SCRATCH, name);
  await download.saveAs(file);
  return file;
}

for (const [query, fingerprint] of EXPECTED) {
  test(`${query} comes to the fingerprint of the lab`, PATIENCE, async () => {
    await start(`${query}&speed=full&run=1`);
    await ended();
    assert.equal(await text('fingerprint'), fingerprint);
  });
}

test('it works from a folder, without a server', PATIENCE, async () => {
  const [query, fingerprint] = EXPECTED.find(([query]) => query.includes('foraging'));
  await open(page, `${pathToFileURL(join(FOLDER, 'index.html'))}?${query}&speed=full&run=1`);
  await ended();
  assert.equal(await text('fingerprint'), fingerprint);
});

test('it works below the root of a server', PATIENCE, async () => {
  const [query, fingerprint] = EXPECTED.find(([query]) => query.includes('foraging'));
  home = 'https://somebody.example/ipse/';
  await page.route(`${home}**`, (route) => {
    const path = new URL(route.request().url()).pathname.slice('/ipse/'.length);
    return route.fulfill({ path: join(FOLDER, path || 'index.html') });
  });
  await start(`${query}&speed=full&run=1`);
  await ended();
  assert.equal(await text('fingerprint'), fingerprint);
});

test('run, pause, step and restart do what they say', PATIENCE, async () => {
  await start('task=foraging&algorithm=ipse&seed=1&speed=pico&run=0');
  assert.equal(await text('run'), 'Run');
  assert.equal(await iteration(), 0);
  for (const expected of [1, 2]) {
    await page.click('#step');
    await iterated(expected);
  }
  await page.locator('#sheet-title').focus();
  await page.keyboard.press('Space');
  await until(() => /[1-9]\d* of/.exec(document.querySelector('#own .score').textContent)?.[0] >= '3');
  assert.equal(await text('run'), 'Pause');
  await page.click('#run');
  await until(() => document.getElementById('run').textContent === 'Run');
  const paused = await iteration();
  await page.waitForTimeout(700);
  assert.equal(await iteration(), paused);
  await page.click('#restart');
  await until((before) => Number(/\d+/.exec(document.querySelector('#own .score').textContent)?.[0] ?? 0) < before, paused);
});

test('a run that has ended is begun again by its button', PATIENCE, async () => {
  await start('task=foraging&algorithm=ipse&seed=1&speed=full&run=1');
  await ended();
  const fingerprint = await text('fingerprint');
  assert.equal(await text('run'), 'Run again');
  assert.ok(await page.locator('#restart').isHidden(), 'one button does it');
  assert.ok(await page.locator('#step').isDisabled());
  await page.locator('#speed').focus();
  await page.keyboard.press('Home');
  await page.click('#run');
  await until(() => !document.getElementById('fingerprint').textContent && document.getElementById('run').textContent === 'Pause');
  await page.locator('#speed').focus();
  await page.keyboard.press('End');
  await ended();
  assert.equal(await text('fingerprint'), fingerprint);
});

test('keys run, step, restart and hold, but not while something else is typed', PATIENCE, async () => {
  await start('task=foraging&algorithm=ipse&seed=1&speed=pico&run=0');
  const hold = () => page.locator('#hold').getAttribute('aria-pressed');
  await page.locator('#sheet-title').focus();
  for (const expected of [1, 2, 3]) {
    await page.keyboard.press('s');
    await iterated(expected);
  }
  await page.keyboard.press('h');
  assert.equal(await hold(), 'true');
  await page.keyboard.press('h');
  assert.equal(await hold(), 'false');
  await page.locator('#seed').focus();
  await page.keyboard.type('s');
  await page.locator('#task').focus();
  await page.keyboard.press('h');
  assert.deepEqual([await iteration(), await hold()], [3, 'false']);
  await page.fill('#seed', '1');
  await page.locator('#sheet-title').focus();
  await page.keyboard.press('r');
  await until(() => document.getElementById('run').textContent === 'Pause' && !/ [3-9] of/.test(document.querySelector('#own .score').textContent));
  await page.keyboard.press(' ');
  await until(() => document.getElementById('run').textContent === 'Run');
});

test('the slider paces learning, and the address keeps everything', PATIENCE, async () => {
  await start('task=foraging&algorithm=ipse&seed=1&speed=pico&run=1');
  assert.equal(await page.locator('#speed').getAttribute('aria-valuetext'), 'as on a Pico');
  // At the pace of a Pico 400 iterations take more than a minute.
  assert.equal(await text('fingerprint'), '');
  await page.locator('#speed').focus();
  await page.keyboard.press('End');
  await ended();
  assert.match(page.url(), /speed=full/);
  await page.fill('#seed', '77');
  await page.keyboard.press('Enter');
  await page.waitForURL(/seed=77/);
  await ended();
  await page.fill('#seed', '18446744073709551616');
  await page.locator('#seed').blur();
  await until(() => document.getElementById('message').textContent.includes('18446744073709551616 is not a seed'));
  assert.match(await text('message'), /Seed 77 stays/);
  assert.equal(await page.inputValue('#seed'), '77');
  assert.match(page.url(), /seed=77/);
});

test('task, features and learner can be chosen', PATIENCE, async () => {
  await start('speed=full&run=0');
  await page.selectOption('#task', 'cart-pole');
  await until(() => document.querySelectorAll('#sheet li').length === 4);
  await page.selectOption('#algorithm', 'returns');
  await page.waitForURL(/task=cart-pole.*algorithm=returns/);
  await page.selectOption('#task', 'tetris');
  await until(() => document.querySelectorAll('#sheet li').length === 8);
  const sets = await page.locator('#features option').evaluateAll((all) => all.map((one) => one.value));
  assert.ok(sets.length >= 2);
  await page.selectOption('#features', sets[1]);
  await until(() => document.querySelectorAll('#sheet li').length === 9);
  await page.waitForURL((url) => url.searchParams.get('features') === sets[1]);
});

test('what is wrong in the address is said by name', PATIENCE, async () => {
  await start('task=chess&run=0');
  assert.match(await text('message'), /\?task=chess is not a task.*tetris/);
  await start('task=foraging&seed=minus&algorithm=guess&speed=warp&run=0');
  assert.match(await text('message'), /warp/);
});

test('features take their side, and every one has a weight in the end', PATIENCE, async () => {
  await start('task=foraging&algorithm=ipse&seed=1&speed=full&run=1');
  await ended();
  const sides = await page.locator('#sheet li').evaluateAll((all) => all.map((one) => one.dataset.side));
  assert.deepEqual(sides, ['pro', 'con', 'con']);
  const [seeds, distance, owls] = await weights();
  assert.ok(seeds > 0 && distance < 0 && owls < 0);
});

test('the curve has a dot for each test, and rises', PATIENCE, async () => {
  await start('task=foraging&algorithm=ipse&seed=1&speed=full&run=0');
  assert.equal(await page.locator('#curve svg').getAttribute('aria-label'), 'Learning curve, empty so far');
  await page.click('#run');
  await ended();
  const dots = await page.locator('#curve .dot').evaluateAll((all) => all.map((one) => ['cx', 'cy'].map((name) => Number(one.getAttribute(name)))));
  assert.ok(dots.length > 20, `${dots.length} dots`);
  assert.ok(dots.every(([x], i) => !i || x > dots[i - 1][0]), 'dots are in the order of calls');
  const height = (some) => some.reduce((sum, [, y]) => sum - y, 0) / some.length;
  assert.ok(height(dots.slice(-10)) > height(dots.slice(0, 3)) + 20, 'what it learned is seen');
  const [, first, now] = /^Learning curve: (\d+) seeds a game at first, (\d+) now$/.exec(await page.locator('#curve svg').getAttribute('aria-label'));
  assert.ok(Number(now) > Number(first), `${first}, ${now}`);
  assert.match(await text('curve-text'), new RegExp(`^${now}[.\\d]* seeds a game now`));
  // Directions end somewhere between the first and the last dot.
  const mark = Number(/^M([\d.]+)/.exec(await page.locator('#curve .mark').getAttribute('d'))[1]);
  assert.ok(mark > dots[0][0] - 60 && mark < dots.at(-1)[0]);
  assert.match(await page.textContent('#curve'), /from here on: weights/);
});

/** Counts what moves on the sheet, from the start of the page. */
const countMoves = () => page.addInitScript(() => {
  globalThis.moves = { falling: 0, snapping: 0 };
  const look = (changes) => {
    for (const { addedNodes, target, attributeName } of changes) {
      for (const node of addedNodes) moves.falling += node instanceof Element && node.matches('.vote') && getComputedStyle(node).animationName === 'fall';
      moves.snapping += attributeName === 'class' && target.classList.contains('snap') && getComputedStyle(target).animationName === 'snap';
    }
  };
  addEventListener('DOMContentLoaded', () => {
    new MutationObserver(look).observe(document.getElementById('sheet'), { subtree: true, childList: true, attributes: true });
  });
});

test('votes fall onto the sheet, and features snap to their side, but not with reduced motion', PATIENCE, async () => {
  await countMoves();
  const votes = () => page.locator('#sheet .name small').allTextContents();
  for (const reducedMotion of [null, 'reduce']) {
    await page.emulateMedia({ reducedMotion });
    // An iteration takes longer than a frame of the screen, even on a busy machine.
    await start('task=foraging&algorithm=ipse&seed=1&speed=stm32f405&run=1');
    await page.waitForSelector('#sheet.weights');
    const { falling, snapping } = await page.evaluate(() => moves);
    assert.ok((await votes()).some((vote) => /[1-9]/.test(vote)));
    const isStill = await page.evaluate(() => document.getAnimations().length === 0);
    if (reducedMotion) assert.deepEqual([falling, snapping, isStill], [0, 0, true]);
    else assert.ok(falling >= 3 && snapping >= 1, `${falling} votes fell, ${snapping} features snapped`);
  }
});

test('a weight that is dragged changes the player, and is given back', PATIENCE, async () => {
  await start('task=foraging&algorithm=ipse&seed=1&speed=full&run=1');
  await ended();
  const learned = await weights();
  const track = await page.locator('#sheet .track').first().boundingBox();
  await page.mouse.move(track.x + track.width * 0.2, track.y + 6);
  await page.mouse.down();
  await page.mouse.move(track.x + track.width * 0.9, track.y + 6, { steps: 4 });
  await page.mouse.up();
  await page.waitForSelector('#by-hand:visible');
  await until(() => document.querySelector('#sheet .handle').ariaValueNow < 0);
  assert.match(await page.locator('#sheet .handle').first().getAttribute('aria-valuetext'), /^con/);
  await page.click('#release');
  await page.waitForSelector('#by-hand', { state: 'hidden' });
  await until((value) => Number(document.querySelector('#sheet .handle').ariaValueNow) === value, learned[0]);
});

test('the games of the player are counted anew when its weights change for good', PATIENCE, async () => {
  const sub = () => page.textContent('#learned .sub');
  const several = () => until(() => /^game [3-9]/.test(document.querySelector('#learned .sub').textContent));
  // The game that is under way has no number, nor is there one before it.
  const anew = () => until(() => /^(move [\d,]+|game over after [\d,]+ moves?)$/.test(document.querySelector('#learned .sub').textContent));
  await start('task=foraging&algorithm=ipse&seed=1&speed=full&run=0');
  await several();
  assert.match(await sub(), /a game before$/);
  await page.click('#hold');
  await page.click('#run');
  await ended();
  await anew();
  await page.click('#hold');
  await several();
  await page.click('#hold');
  await page.locator('#sheet .handle').first().focus();
  await page.keyboard.press('Home');
  await anew();
  assert.equal(await page.textContent('#learned figcaption'), 'Your weights');
  assert.match(await text('why-lead'), /by your weights/);
  assert.match(await text('curve-text'), /not by your weights/);
  assert.equal(await page.locator('#sheet .nothing .figure').textContent(), '0.00');
  await page.click('#release');
  await page.waitForSelector('#by-hand', { state: 'hidden' });
  assert.equal(await page.textContent('#learned figcaption'), 'As learned');
  assert.match(await text('why-lead'), /by what was learned/);
});

test('a feature is explained to those who point at it, and to screen readers', PATIENCE, async () => {
  await start('task=foraging&algorithm=ipse&seed=1&speed=full&run=1');
  await ended();
  const owls = page.locator('#sheet li').nth(2);
  assert.ok(await owls.locator('.meaning').isHidden());
  await owls.locator('.name').hover();
  await owls.locator('.meaning').waitFor({ state: 'visible' });
  assert.match(await owls.locator('.meaning').textContent(), /one time in ten/);
  const described = await owls.locator('.handle').getAttribute('aria-describedby');
  assert.equal(await page.textContent(`#${described}`), await owls.locator('.meaning').textContent());
});

test('a weight is moved by the keyboard', PATIENCE, async () => {
  await start('task=foraging&algorithm=ipse&seed=1&speed=full&run=1');
  await ended();
  const handle = page.locator('#sheet .handle').nth(1);
  await handle.focus();
  const value = async () => Number(await handle.getAttribute('aria-valuenow'));
  for (const [key, step] of [['ArrowUp', 5], ['ArrowLeft', 5], ['PageUp', 25], ['PageDown', -25], ['ArrowDown', -5], ['ArrowRight', -5], ['PageUp', 25]]) {
    const before = await value();
    await page.keyboard.press(key);
    // Shares of the longest bar are rounded.
    await until(([before, step]) => Math.abs(Number(document.querySelectorAll('#sheet .handle')[1].ariaValueNow) - before - step) <= 1, [before, step]);
  }
  await page.keyboard.press('Home');
  await until(() => document.querySelectorAll('#sheet .handle')[1].ariaValueNow === '0');
  assert.ok(await page.locator('#by-hand').isVisible());
});

test('weights set by hand are saved as those of no run', PATIENCE, async () => {
  await start('task=foraging&algorithm=ipse&seed=1&speed=full&run=1');
  await ended();
  const saved = async (name) => JSON.parse(readFileSync(await downloaded('#save-weights', name), 'utf8'));
  const learned = await saved('learned.json');
  assert.deepEqual([learned.iterations, learned.fingerprint], [400, await text('fingerprint')]);
  await page.locator('#sheet .handle').first().focus();
  await page.keyboard.press('Home');
  await page.waitForSelector('#by-hand:visible');
  const { weights: [, ...others] } = learned;
  const features = ['seeds', 'distance', 'owls'];
  assert.deepEqual(await saved('by-hand.json'), { task: 'foraging', features, weights: [0, ...others] });
  assert.match(lab('play', '--task', 'foraging', '--policy', join(SCRATCH, 'by-hand.json'), '--games', '5'), /seeds/);
  await page.click('#release');
  await page.waitForSelector('#by-hand', { state: 'hidden' });
  assert.deepEqual(await saved('again.json'), learned);
});

test('every move has a ledger, by the pointer and by the keyboard', PATIENCE, async () => {
  await start('task=tetris&algorithm=ipse&seed=6&speed=full&run=1');
  await ended();
  // Before it had learned, the player may have come near the end of a game, where there is little to choose.
  await until(() => document.querySelectorAll('#moves li').length > 8 && document.querySelector('#ledger .reason'));
  await page.locator('#moves').focus();
  await page.keyboard.press('ArrowDown');
  await until(() => /^Why not/.test(document.querySelector('#ledger caption')?.textContent));
  // What is explained is the move that was picked, though the game had gone on.
  const second = (await page.locator('#moves li').nth(1).textContent()).replace(/^2\. | ?[−\d.,]+$/g, '');
  assert.ok((await page.textContent('#ledger caption')).includes(second), second);
  assert.equal(await page.locator('#hold').getAttribute('aria-pressed'), 'true');
  await page.locator('#moves li').first().hover();
  await until(() => /^Its next move/.test(document.querySelector('#ledger caption').textContent));
  // What is a con in the sheet is a pro of a move that has less of it.
  const cons = await page.locator('#sheet li[data-side=con] .name > span').allTextContents();
  const pros = await page.locator('#ledger tr:not(.sum) td:first-child .reason > :first-child').allTextContents();
  for (const reason of pros) {
    const [, words, name] = /^(more|less|fewer) (.*)$/.exec(reason);
    assert.equal(words === 'more', !cons.includes(name), reason);
  }
  assert.match(await text('ledger'), /less of a con is a pro/);
  // The list ends with a whole row.
  assert.ok(await page.locator('#moves').evaluate((moves) => {
    const end = moves.getBoundingClientRect().bottom - moves.clientTop;
    return [...moves.children].some((move) => Math.abs(move.getBoundingClientRect().bottom - end) < 1.5);
  }));
  // Somewhere near the floor there is a move for every column.
  const picture = await page.locator('#why-picture').boundingBox();
  const chosen = new Set();
  for (let x = 0.05; x < 1; x += 0.06) {
    for (const y of [0.2, 0.5, 0.7, 0.9]) {
      await page.mouse.move(picture.x + x * picture.width, picture.y + y * picture.height);
      chosen.add(await page.locator('#moves li[aria-selected=true]').getAttribute('id'));
    }
  }
  assert.ok(chosen.size > 2, `${chosen.size} moves`);
  const held = await page.textContent('#learned .sub');
  await page.waitForTimeout(500);
  assert.equal(await page.textContent('#learned .sub'), held);
  await page.click('#hold');
  await until((before) => document.querySelector('#learned .sub').textContent !== before, held);
});

test('what is said of a move is of the move in the list, whenever it was picked', PATIENCE, async () => {
  await start('task=tetris&algorithm=ipse&seed=6&speed=full&run=1');
  await until(() => document.querySelectorAll('#moves li').length > 8 && document.querySelector('#ledger .reason'));
  let compared = 0;
  for (let round = 0; round < 12; round++) {
    // At the very moment when the page has asked what moves there are now.
    const said = await page.evaluate(async () => {
      const send = Worker.prototype.postMessage;
      const asked = new Promise((resolve) => {
        Worker.prototype.postMessage = function (...message) {
          send.apply(this, message);
          if (JSON.stringify(message[0]).includes('judge')) resolve();
        };
      });
      await asked;
      Worker.prototype.postMessage = send;
      const second = document.querySelectorAll('#moves li')[1];
      // At the end of a game there may be none.
      if (!second) return null;
      second.click();
      await new Promise((resolve) => setTimeout(resolve, 700));
      const chosen = document.querySelector('#moves li[aria-selected=true]');
      return { move: chosen.firstChild.textContent, caption: document.querySelector('#ledger caption').textContent };
    });
    if (!said) continue;
    compared += 1;
    const [, does] = /^\d+\. (.*)$/.exec(said.move);
    assert.ok(said.caption.includes(`${does}?`), `${said.move}: ${said.caption}`);
    await page.click('#hold');
  }
  assert.ok(compared > 3, `${compared} moves`);
});

test('a finger opens the ledger of a move', PATIENCE, async () => {
  const phone = await launch({ viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true });
  try {
    await page.close();
    watch(await phone.newPage());
    await start('task=tetris&algorithm=ipse&seed=6&speed=full&run=1');
    await ended();
    await until(() => document.querySelectorAll('#moves li').length > 8 && document.querySelector('#ledger .reason'));
    await page.locator('#moves li').nth(3).tap();
    await until(() => /^Why not/.test(document.querySelector('#ledger caption').textContent));
    assert.equal(await page.locator('#hold').getAttribute('aria-pressed'), 'true');
    await page.locator('#hold').tap();
    await until(() => /^Its next move/.test(document.querySelector('#ledger caption')?.textContent));
    // In the picture some place, near the floor or on a high stack, is that of another move; in a crowded one there may be
    // none, so that later ones get a try.
    const chosen = new Set();
    for (let attempt = 0; attempt < 10 && chosen.size < 2; attempt++) {
      if (attempt > 0) {
        await page.locator('#hold').tap();
        await until(() => /^Its next move/.test(document.querySelector('#ledger caption')?.textContent));
        await page.waitForTimeout(4000);
      }
      chosen.clear();
      const picture = await page.locator('#why-picture').boundingBox();
      for (let x = 0.05; x < 1 && chosen.size < 2; x += 0.1) {
        for (const y of [0.15, 0.35, 0.55, 0.75, 0.95]) {
          await page.locator('#why-picture').tap({ position: { x: x * picture.width, y: y * picture.height } });
          chosen.add(await page.locator('#moves li[aria-selected=true]').getAttribute('id'));
        }
      }
    }
    assert.ok(chosen.size > 1, `${chosen.size} moves`);
    assert.equal(await page.locator('#hold').getAttribute('aria-pressed'), 'true');
  } finally {
    await phone.close();
  }
});

test('what was learned beats chance on the same luck', PATIENCE, async () => {
  await start('task=tetris&algorithm=ipse&seed=6&speed=full&run=1');
  await ended();
  await page.click('#run');
  await until(() => !document.getElementById('fingerprint').textContent);
  await ended();
  await until(() => parseInt(document.querySelector('#learned .score').textContent.replace(',', '')) > 30);
  const best = await page.textContent('#random .score');
  assert.ok(parseInt(best) < 30, best);
});

// A run in the words of the page and of the lab, its part that is done elsewhere, and what another page is at.
const JOURNEYS = [
  ['task=foraging&algorithm=ipse&seed=5', '--task foraging', '--algorithm ipse --seed 5', 37, 'task=foraging&algorithm=survival&seed=1'],
  ['task=tetris&features=surface-nine&algorithm=survival&seed=7', '--task tetris --features surface-nine', '--algorithm search --survival --seed 7', 9, 'task=tetris&features=surface-nine&algorithm=ipse&seed=1'],
];

for (const [query, task, learner, part, other] of JOURNEYS) {
  test(`weights and checkpoints go to the lab and come back: ${query}`, PATIENCE, async () => {
    const train = ['train', ...`${task} ${learner} --evaluate-every 0`.split(' ')];
    await start(`${query}&speed=full&run=1`);
    await ended();
    const whole = await text('fingerprint');
    const saved = await downloaded('#save-weights', 'weights.json');
    assert.match(lab('play', ...task.split(' '), '--policy', saved, '--games', '1'), /seeds|rows/);

    // Part of a run here, the rest there.
    await start(`${query}&speed=full&run=0`);
    for (const expected of [1, 2, 3]) {
      await page.click('#step');
      await until((n) => /\d+/.exec(document.querySelector('#own .score').textContent)?.[0] === String(n), expected);
    }
    const checkpoint = await downloaded('#save-checkpoint', 'run.ckpt');
    assert.match(lab(...train, '--checkpoint', checkpoint), new RegExp(`fingerprint ${whole}`));

    // Part of a run there, the rest here.
    const begun = join(SCRATCH, `begun-${part}.ckpt`);
    lab(...train, '--iterations', String(part), '--checkpoint', begun, '--json');
    await start(`${other}&speed=full&run=0`);
    await page.setInputFiles('#file', begun);
    await until((part) => document.getElementById('files-text').textContent.includes(`Resumed after iteration ${part}`), part);
    await page.click('#run');
    await ended();
    assert.equal(await text('fingerprint'), whole);

    const out = join(SCRATCH, `lab-${part}.json`);
    lab(...train, '--iterations', String(part), '--out', out);
    await page.setInputFiles('#file', out);
    await page.waitForSelector('#by-hand:visible');
  });
}

test('a file that is none of ours is refused by name, and nothing is lost', PATIENCE, async () => {
  await start('task=foraging&algorithm=ipse&seed=5&speed=full&run=1');
  await ended();
  const whole = await text('fingerprint');
  const files = {
    'letter.txt': ['Dear Sir', /letter.txt was not opened: it is neither/],
    'few.json': ['{"weights":[1]}', /1 weights; foraging has 3 features/],
    'other.json': ['{"task":"chess","weights":[1]}', /its task is chess/],
    'wide.json': ['{"weights":[1,2,1e300]}', /weight of owls/],
    'tetris.ckpt': ['ipse checkpoint: tetris (holes)\nIPSE', /it is of tetris \(holes\)/],
  };
  for (const [name, [content, complaint]] of Object.entries(files)) {
    const file = join(SCRATCH, name);
    writeFileSync(file, content);
    await page.setInputFiles('#file', file);
    await until((name) => document.getElementById('message').textContent.startsWith(name), name);
    assert.match(await text('message'), complaint);
    assert.equal(await text('fingerprint'), whole);
  }
  const damaged = join(SCRATCH, 'damaged.ckpt');
  writeFileSync(damaged, 'ipse checkpoint: foraging (seeds, distance, owls)\nIPSE\u0002garbage');
  await page.setInputFiles('#file', damaged);
  await until(() => /damaged.ckpt was not opened: .*checksum/.test(document.getElementById('message').textContent));
});

test('the recording of a Pico is shown to its end', PATIENCE, async () => {
  await start('speed=pico&run=0');
  await page.click('#example');
  await page.waitForSelector('#elsewhere:visible');
  // Moves that are held are judged anew only if there is a reason to.
  await page.click('#hold');
  await page.locator('#speed').focus();
  await page.keyboard.press('End');
  await ended();
  await until(() => document.getElementById('board-text').textContent.includes('all of the recording'));
  assert.equal(await page.locator('#sheet li').count(), 3);
  assert.ok((await weights()).every((weight) => weight !== 0));
  // What is shown are the weights of the board, by which moves are judged at once, and nothing that is under way.
  await until(() => {
    const number = (text) => Number(text.replace('−', '-'));
    const weights = [...document.querySelectorAll('#sheet .figure')].map((figure) => number(figure.textContent));
    return [...document.querySelectorAll('#moves li')].every((move) => {
      const [, ...features] = /seeds (\d), distance (\d), owls (\d)/.exec(move.textContent).map(Number);
      const sum = features.reduce((sum, feature, i) => sum + feature * weights[i], 0);
      return Math.abs(sum - number(move.querySelector('span').textContent)) < 0.06;
    });
  });
  assert.equal(await page.locator('#sheet .vote').count(), 0);
  assert.ok(await page.locator('#elsewhere').isVisible());
  assert.doesNotMatch(await text('bits-text'), /:$/);
  await page.click('#disconnect');
  await until(() => !document.getElementById('fingerprint').textContent);
  assert.ok(await page.locator('#elsewhere').isHidden());
  await page.click('#step');
  await iterated(1);
});

/** Replaces the serial ports of the page by one that sends these bytes. */
function fakeSerial(bytes, thenGone) {
  return page.addInitScript(([bytes, thenGone]) => {
    const port = {
      async open({ baudRate }) {
        port.rate = baudRate;
        port.readable = new ReadableStream({
          start(controller) {
            for (let from = 0; from < bytes.length; from += 1000) controller.enqueue(Uint8Array.from(bytes.slice(from, from + 1000)));
            if (!thenGone) return controller.close();
            setTimeout(() => {
              port.readable = null;
              controller.error(new DOMException('The device has been lost.', 'NetworkError'));
            }, 300);
          },
        });
      },
      async close() {},
    };
    Object.defineProperty(navigator, 'serial', { value: { requestPort: async () => port }, configurable: true });
  }, [[...bytes], thenGone]);
}

test('a board on a serial port is shown like a recording', PATIENCE, async () => {
  await fakeSerial(RECORDING);
  await start('speed=full&run=0');
  await page.click('#connect');
  await ended();
  assert.match(await text('board-text'), /A board learns foraging|The port was closed/);
});

test('a board that is cut off in the middle, with noise before, shows what came', PATIENCE, async () => {
  const noise = Buffer.from('boot ok\r\n\x00\x07garbage\x00');
  await fakeSerial([...noise, ...RECORDING.subarray(2_001, 9_003)], true);
  await start('speed=full&run=0');
  await page.click('#connect');
  await until(() => document.getElementById('board-text').textContent.startsWith('The board is gone'));
  assert.equal(await page.locator('#sheet li').count(), 3);
  assert.match(await page.textContent('#own .score'), /\d+ of \d+/);
  assert.equal(await text('fingerprint'), '');
});

test('garbage from a board is counted and breaks nothing', PATIENCE, async () => {
  const garbage = Array.from({ length: 20_000 }, (_, i) => (i * 7919 + (i >> 3)) % 256);
  await fakeSerial(garbage);
  await start('speed=full&run=0');
  await page.click('#connect');
  await until(() => /The port was closed|no telemetry/.test(document.getElementById('board-text').textContent));
  await page.click('#disconnect');
  await page.click('#step');
  await iterated(1);
});

test('a browser without Web Serial is told so and can open a recording', PATIENCE, async () => {
  await page.addInitScript(() => delete Navigator.prototype.serial);
  await start('speed=full&run=0');
  assert.match(await text('board-text'), /no Web Serial/);
  assert.ok(await page.locator('#connect').isDisabled());
  const file = join(SCRATCH, 'half.ipse');
  writeFileSync(file, RECORDING.subarray(0, 9_000));
  const [chooser] = await Promise.all([page.waitForEvent('filechooser'), page.click('#open-recording')]);
  await chooser.setFiles(file);
  await until(() => document.getElementById('board-text').textContent.includes('all of the recording'));
  assert.match(await page.textContent('#own .score'), /\d+ of \d+/);
});

test('a hundred seeds are run, drawn and can be stopped', PATIENCE, async () => {
  await start('task=foraging&algorithm=ipse&seed=1&speed=full&run=0');
  await page.click('#survey');
  await until(() => document.querySelectorAll('#survey-chart .one').length >= 12);
  await page.click('#survey');
  const count = Number(/^(\d+) of 100 seeds: .* ± .* seeds a game/.exec(await text('survey-text'))[1]);
  assert.equal(await page.locator('#survey-chart .one').count(), count);
  const runs = await page.locator('#survey-chart .one').evaluateAll((all) => all.map((one) => one.getAttribute('d')));
  assert.equal(new Set(runs).size, runs.length, 'no seed is run twice');
  // Their mean is drawn, and rises.
  const heights = (await page.locator('#survey-chart .line').getAttribute('d')).match(/ [\d.]+/g).map(Number);
  assert.ok(heights.at(-1) < heights[0] - 20, heights.join());
  assert.equal(await text('survey'), 'Run a hundred seeds');
});

const SCREENS = [['phone', 360, 740, 'light'], ['phone-dark', 360, 740, 'dark'], ['desktop', 1280, 900, 'light'], ['desktop-dark', 1280, 900, 'dark']];

for (const [name, width, height, colorScheme] of SCREENS) {
  test(`${name}: nothing overflows, everything has a name and contrast`, PATIENCE, async () => {
    const look = async (state) => {
      await page.screenshot({ path: join(SHOTS, `${name}-${state}.png`), fullPage: true });
      const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      assert.ok(overflow <= 0, `${state}: ${overflow} pixels too wide`);
      assert.deepEqual(await page.evaluate(faint), [], state);
      assert.deepEqual(await page.evaluate(nameless), [], state);
    };
    await page.setViewportSize({ width, height });
    await page.emulateMedia({ colorScheme, reducedMotion: name === 'phone' ? 'reduce' : null });
    await start('task=tetris&algorithm=ipse&seed=6&speed=full&run=0');
    await until(() => document.querySelector('#ledger table'));
    assert.match(await page.textContent('#ledger'), /It knows of no difference between them/);
    await look('before');

    await page.click('#step');
    await iterated(1);
    await look('during');

    await page.click('#run');
    await ended();
    await until(() => document.getElementById('ledger').textContent.includes('more than the second best'));
    // The game in which it learns, and how far that is, are to be seen on every screen.
    assert.ok(await page.locator('#own canvas').isVisible());
    assert.equal(await page.textContent('#own .score'), '400 of 400');
    await look('after');

    await page.locator('#sheet .handle').first().focus();
    await page.keyboard.press('Home');
    await page.waitForSelector('#by-hand:visible');
    await page.fill('#seed', 'none');
    await page.locator('#seed').blur();
    await page.waitForSelector('#message:visible');
    await look('by-hand');

    await page.fill('#seed', '6');
    await page.click('#example');
    await until(() => document.getElementById('board-text').textContent.includes('all of the recording'));
    await look('board');
  });
}

/** Texts with a contrast below 4.5:1. Runs in the page. */
function faint() {
  const channels = (color) => {
    const [, kind, list] = /(\w+)\(([^)]*)\)/.exec(color);
    const numbers = list.replace(/^srgb/, '').match(/[\d.]+/g).map(Number);
    const scale = kind === 'color' ? 1 : 255;
    return { rgb: numbers.slice(0, 3).map((n) => n / scale), alpha: numbers[3] ?? 1 };
  };
  const luminance = (rgb) => {
    const [r, g, b] = rgb.map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const background = (element) => {
    for (let e = element; e; e = e.parentElement) {
      const { rgb, alpha } = channels(getComputedStyle(e).backgroundColor);
      if (alpha > 0.99) return rgb;
    }
    return [1, 1, 1];
  };
  const faint = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const element = walker.currentNode.parentElement;
    if (!walker.currentNode.data.trim() || !element.checkVisibility() || element.closest('script, option, :disabled')) continue;
    const style = getComputedStyle(element);
    const ink = channels(element.closest('svg') ? style.fill : style.color).rgb;
    const [a, b] = [luminance(ink), luminance(background(element))].sort((x, y) => y - x);
    if ((a + 0.05) / (b + 0.05) < 4.5) faint.push(`${walker.currentNode.data.trim()}: ${((a + 0.05) / (b + 0.05)).toFixed(2)}`);
  }
  return faint;
}

/** Controls and pictures that a screen reader could not name. Runs in the page. */
function nameless() {
  const controls = document.querySelectorAll('button, input:not([type=file]), select, canvas, [role=slider], [role=listbox], [role=progressbar], svg');
  const isNamed = (e) => e.ariaLabel || e.textContent.trim() || e.labels?.length || e.getAttribute('aria-labelledby');
  return [...controls].filter((e) => e.checkVisibility() && !isNamed(e)).map((e) => e.outerHTML.slice(0, 80));
}
