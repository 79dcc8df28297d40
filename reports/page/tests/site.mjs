// Checks the pages of a library: node test/site.mjs DIR. CHROMIUM names the browser. The exit code is 1 if something is wrong.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { launch, violations } from './browse.mjs';

const dir = process.argv[2];
const browser = await launch();
for (const [width, colorScheme] of [
  [1280, 'light'],
  [390, 'dark'],
]) {
  const page = await browser.newPage({ viewport: { width, height: 900 }, colorScheme });
  const complaints = [];
  page.on('console', (m) => ['error', 'warning'].includes(m.type()) && complaints.push(m.text()));
  page.on('pageerror', (e) => complaints.push(e.message));
  await page.goto(pathToFileURL(join(dir, 'index.html')).href);
  assert.deepEqual(await violations(page), [], `index, ${width}`);
  const first = () => page.textContent('tbody tr td');
  const before = await first();
  await page.click('th button:text-is("jobs")');
  const jobs = await page.$eval('table', (t) => [...t.tBodies[0].rows].map((r) => Number(r.cells[5].textContent)));
  assert.deepEqual(jobs, [...jobs].sort((a, b) => a - b), 'sorted by jobs');
  await page.click('th button:text-is("id")');
  await page.click('th button:text-is("id")');
  assert.notEqual(await first(), 'flex-benchmark-001');
  assert.equal(await page.getAttribute('th:first-child', 'aria-sort'), 'descending');
  await page.goto(pathToFileURL(join(dir, 'index.html')).href);
  assert.equal(await first(), before);
  await page.click('tbody a:text-is("flex-seen-001")');
  assert.deepEqual(await violations(page), [], `an instance, ${width}`);
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), `nothing is beyond the edge at ${width}`);
  if (process.env.PICTURES) {
    await page.screenshot({ path: join(process.env.PICTURES, `instance-${width}.png`) });
    await page.goBack();
    await page.screenshot({ path: join(process.env.PICTURES, `index-${width}.png`) });
  }
  assert.deepEqual(complaints, []);
  await page.close();
}
await browser.close();
