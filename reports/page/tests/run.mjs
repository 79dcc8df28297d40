// Checks the page of a report in a headless browser: node run.mjs DIR. Prints a line a check; the exit code is 1 if one fails.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { launch, ready, violations } from './browse.mjs';

const dir = process.argv[2];
const report = JSON.parse(readFileSync(join(dir, 'summary.json'), 'utf8'));
const url = pathToFileURL(join(dir, 'index.html')).href;
const browser = await launch();
const page = await browser.newPage({ viewport: { width: 1280, height: 900 }, colorScheme: 'light' });
page.setDefaultTimeout(60_000);
const complaints = [];
page.on('console', (m) => ['error', 'warning'].includes(m.type()) && complaints.push(m.text()));
page.on('pageerror', (e) => complaints.push(e.message));
page.on('request', (r) => r.url().startsWith('file:') || r.url().startsWith('data:') || complaints.push(`asks for ${r.url()}`));
let failed = 0;

async function check(name, run) {
  try {
    await run();
    console.log(`ok   ${name}`);
  } catch (e) {
    failed++;
    console.log(`FAIL ${name}: ${e.stack}`);
  }
}

const visit = async (hash) => {
  await page.goto('about:blank');
  await page.goto(url + hash);
  await ready(page);
};
const hash = () => page.evaluate(() => decodeURIComponent(location.hash).replaceAll('+', ' '));
const column = (title, head) =>
  page.$$eval('table', (list, [t, h]) => {
    const table = list.find((x) => x.caption?.firstChild.textContent.trim() === t && x.checkVisibility());
    const i = [...table.tHead.rows[0].cells].findIndex((c) => c.textContent === h);
    return [...table.tBodies[0].rows].filter((r) => !r.hidden).map((r) => r.cells[i].textContent);
  }, [title, head]);
const strip = '#fig-flex-opt-overview';

await check('several problems open on an overview of sentences and strips', async () => {
  await visit('');
  assert.deepEqual(await page.$$eval('.headlines li', (list) => list.map((li) => li.textContent)), report.headlines.map((h) => h.text));
  assert.equal(await page.locator('.lead figure:visible .canvas svg').count(), 2);
  assert.ok(!(await page.isVisible('.rest')) && !(await page.isVisible('#trouble')));
  await page.click('.headlines a:has-text("flex")');
  await ready(page);
  assert.equal(await hash(), '#problem=flex');
  assert.equal(await page.locator('.headlines li:visible').count(), 1);
});

await check('the strip has a row an algorithm, the best first', async () => {
  const rows = await page.$$eval(`${strip} .canvas text[font-weight]`, (list) => list.map((t) => t.textContent));
  assert.deepEqual(rows, ['flex-ls', 'flex', 'spt', 'fair']);
});

await check('tables sort by a click; what is apart stays apart', async () => {
  assert.equal((await column('Ratio to opt', 'algorithm'))[0], 'flex-ls');
  const head = page.locator('table:visible th button:text-is("worst") >> nth=0');
  await head.click();
  await head.click();
  const down = await column('Ratio to opt', 'algorithm');
  assert.equal(down[0], 'fair');
  assert.equal(down.at(-1), 'fifo*');
});

await check('hidden algorithms leave tables and dots, and the command of that part is given', async () => {
  await page.click('summary:has-text("Algorithms")');
  await page.uncheck('input[value="fair"]');
  await ready(page);
  assert.equal(await hash(), '#problem=flex&hide=fair');
  assert.ok(!(await column('Ratio to opt', 'algorithm')).includes('fair'));
  assert.ok(!(await page.textContent(`${strip} .canvas`)).includes('fair'));
  assert.match(await page.textContent('.part code'), /^schedgap report \. -a \S*flex-ls\S* -o part$/);
  assert.ok(!(await page.textContent('.part code')).includes('fair'));
  await page.reload();
  await ready(page);
  assert.ok(!(await column('Ratio to opt', 'algorithm')).includes('fair'), 'the address survives a reload');
});

await check('references and parts are switched between', async () => {
  await visit('#problem=flex');
  await page.selectOption('label:has-text("Compared with") select', 'opt-mps');
  await ready(page);
  assert.ok((await column('Ratio to opt-mps', 'algorithm')).length > 2);
  assert.ok(!(await page.isVisible(strip)) && (await page.isVisible('#fig-flex-opt-mps-overview')));
  await visit('#problem=flex&view=opt-regret');
  const families = [...new Set(report.problems[0].ratios.filter((r) => r.difference && r.source).map((r) => `${r.metric}, ${r.source}`))];
  assert.ok(families.length > 1);
  await page.selectOption('label:has-text("Instances") select', `family:${families[0]}`);
  await ready(page);
  assert.deepEqual([...new Set(await column('Regret to opt by family', 'family'))], [families[0]]);
  const shown = await page.$$eval('.lead figure', (list) => list.filter((f) => f.checkVisibility()).map((f) => f.dataset.part));
  assert.deepEqual(shown, [families[0]]);
  assert.match(await page.textContent('.part code'), /--family '[^']+' -o part/);
});

await check('a dot opens its instance with its units and commands', async () => {
  await visit('#problem=flex');
  await page.focus(`${strip} .plot`);
  await page.keyboard.press('ArrowRight');
  assert.ok(await page.isVisible(`${strip} .tip`));
  await page.keyboard.press('Enter');
  await page.waitForSelector('dialog[open]');
  assert.match(await hash(), /open=[0-9a-f]{64}&of=flex-ls/);
  assert.equal(await page.locator('dialog table >> nth=1').locator('tbody tr').count(), 10);
  assert.match(await page.textContent('dialog .command code'), /^schedgap solve instances\/[0-9a-f]{64}\.json -a flex-ls .*--seed \d+$/);
  assert.deepEqual(await violations(page), []);
  await page.keyboard.press('Escape');
  await page.waitForFunction(() => !location.hash.includes('open='));
});

await check('alarms lead to what failed', async () => {
  await page.click('.notices .alarm a >> nth=0');
  await page.waitForFunction(() => location.hash.endsWith('-trouble'));
  assert.ok(await page.isVisible('#flex-trouble') && !(await page.isVisible('#pocd-trouble')));
});

await check('tables can be taken along', async () => {
  await visit('#problem=flex');
  const [download] = await Promise.all([page.waitForEvent('download'), page.click('[aria-label="Download as CSV: Ratio to opt"]')]);
  assert.equal(download.suggestedFilename(), 'ratio-to-opt.csv');
  assert.match(readFileSync(await download.path(), 'utf8'), /^algorithm,above opt,95 % interval,worst,optimal,compared,.*\r\n/);
});

await check('on a phone nothing is wider than the screen', async () => {
  await page.setViewportSize({ width: 390, height: 844 });
  for (const at of ['', '#problem=flex', '#problem=pocd']) {
    await visit(at);
    assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= 390, at);
    const cut = await page.$$eval('#report .table', (list) => list.filter((b) => b.checkVisibility() && b.scrollWidth > b.clientWidth).map((b) => b.textContent.slice(0, 80)));
    assert.deepEqual(cut, [], `${at}: tables that are cut`);
    const high = await page.$$eval('#report tbody tr', (list) => list.filter((r) => r.checkVisibility() && r.clientHeight > 2.6 * 21).map((r) => r.textContent));
    assert.deepEqual(high, [], `${at}: rows of more than two lines`);
  }
  await page.setViewportSize({ width: 1280, height: 900 });
});

await check('no figure stands twice on the page', async () => {
  await visit('');
  const ids = await page.$$eval('figure', (list) => list.map((f) => f.id));
  assert.deepEqual(ids.filter((id, i) => ids.indexOf(id) !== i), []);
});

await check('axe finds no violation, in the light and in the dark', async () => {
  for (const [at, colorScheme] of [['', 'light'], ['#problem=flex', 'light'], ['#problem=pocd', 'dark']]) {
    await page.emulateMedia({ colorScheme });
    await visit(at);
    assert.deepEqual(await violations(page), [], `${at || 'overview'}, ${colorScheme}`);
  }
});

await check('nothing was complained about', async () => assert.deepEqual(complaints, []));
await browser.close();
process.exit(failed ? 1 : 0);
