// Films the page: node film.mjs ADDRESS FOLDER writes a picture for each tenth of a second or so.

import { join } from 'node:path';
import { launch, open } from './browser.mjs';

const [address, folder] = process.argv.slice(2);
const context = await launch({ viewport: { width: 1180, height: 900 } });
const page = await context.newPage();
await open(page, `${address}?task=tetris&algorithm=ipse&seed=6&speed=4x&run=1`);

let number = 0;
async function shoot(pictures) {
  for (let i = 0; i < pictures; i++) {
    await page.screenshot({ path: join(folder, `${String(number++).padStart(4, '0')}.png`) });
    await page.waitForTimeout(70);
  }
}

await shoot(45);
await page.locator('#speed').focus();
await page.keyboard.press('End');
await page.waitForFunction(() => document.getElementById('fingerprint').textContent, null, { timeout: 300_000 });
await shoot(20);
await page.locator('#moves li').nth(2).hover();
await shoot(12);
await page.locator('#moves li').first().hover();
await shoot(12);
await context.close();
