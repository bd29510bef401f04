// Chromium, as the tests and the camera use it.

import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from 'playwright-core';

const FLAGS = [
  '--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking', '--disable-component-update',
  '--disable-sync',
];

/** A browser with an empty profile. */
export function launch(options) {
  const profile = mkdtempSync(join(tmpdir(), 'ipse-page-'));
  return chromium.launchPersistentContext(profile, {
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', headless: true, args: FLAGS, ...options,
  });
}

/** Waits until the page has a module and shows it. */
export async function open(page, address) {
  await page.goto(address);
  await page.waitForSelector('html[data-ready]', { timeout: 60_000 });
}
