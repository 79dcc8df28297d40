// What tests of pages share: the browser that CHROMIUM names, and what axe-core says.

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { chromium } from 'playwright-core';

const flags = ['--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'];

export const launch = () => chromium.launch({ executablePath: process.env.CHROMIUM, args: flags });

/** Waits until what the address asks for is shown. */
export const ready = (page) =>
  page.waitForFunction(() => document.body?.dataset.shown === (location.hash || '#') || !document.getElementById('data'), null, { timeout: 20_000 });

/** What axe-core says is wrong with the page, and where. */
export async function violations(page) {
  // with evaluate, which the page's content security policy lets through
  await page.evaluate(readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8'));
  const { violations: list } = await page.evaluate(() => globalThis.axe.run(document));
  return list.map((v) => `${v.id}: ${v.nodes.slice(0, 3).map((n) => n.target.join(' ')).join(', ')} (${v.nodes.length})`);
}
