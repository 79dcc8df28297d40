// The page in a headless browser: what a reader does with mouse and keyboard.

import assert from 'node:assert/strict';
import { pathToFileURL } from 'node:url';
import { chromium } from 'playwright-core';

const flags = [
  '--no-sandbox',
  '--disable-gpu',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** Starts the browser that CHROMIUM names. */
export const launch = () => chromium.launch({ executablePath: process.env.CHROMIUM, args: flags });

const patience = 30_000; // ms; machines may be busy

/** Waits until all that the address asks for is shown. */
export const ready = (page) =>
  page.waitForFunction(
    () => {
      const { ready, address } = document.getElementById('app').dataset;
      return ready === 'all' && address === location.hash;
    },
    null,
    { timeout: patience },
  );

/** The cells of the table of a title below a root. */
const cells = (page, root, title) =>
  page.evaluate(
    ([r, t]) => {
      const table = [...document.querySelectorAll(`${r} table`)].find((x) => x.caption?.textContent === t);
      return table && [...table.rows].map((row) => [...row.cells].map((c) => c.textContent));
    },
    [root, title],
  );

export async function browse(file, expected, check) {
  const url = pathToFileURL(file).href;
  const browser = await launch();
  const page = await browser.newPage({ viewport: { width: 1280, height: 900 }, colorScheme: 'light' });
  page.setDefaultTimeout(patience);
  const complaints = [];
  const requests = [];
  page.on('console', (m) => ['error', 'warning'].includes(m.type()) && complaints.push(m.text()));
  page.on('pageerror', (e) => complaints.push(e.message));
  page.on('request', (r) => requests.push(r.url().slice(0, 200)));
  const visit = async (hash) => {
    await page.goto('about:blank');
    await page.goto(url + hash);
    await ready(page);
  };
  const hash = () => page.evaluate(() => decodeURIComponent(location.hash).replaceAll('+', ' '));
  const count = () => page.textContent('#count');
  await visit('');

  await check('unfiltered, every live table is the static one', async () => {
    await page.click('summary:has-text("By class of instances") >> visible=true');
    for (const title of [
      'What became of every unit',
      'What is known of the optima',
      'Ratio to opt',
      'Ratio to opt by class',
      'Head to head',
      'Exact methods',
    ]) {
      const [live, fixed] = [await cells(page, '#app', title), await cells(page, '#static', title)];
      assert.ok(live?.length > 1 && fixed, `no table ${title}`);
      const interval = fixed[0].indexOf('95 % interval'); // the page draws fewer resamples
      const others = (rows) => rows.map((r) => r.filter((_, i) => i !== interval));
      assert.deepEqual(others(live), others(fixed), title);
    }
  });

  await check('the page begins with what was not solved', async () => {
    const titles = await page.$$eval('#app h2', (list) => list.map((h) => h.textContent));
    assert.match(titles[0], /not solved, failed or contradicted/);
    assert.ok(titles.indexOf('Ratios') > 0);
    assert.ok(await page.isVisible('text=Units that failed'));
  });

  await check('clicks on filters recompute the tables and the address', async () => {
    await page.click('summary:has-text("Metric: all")');
    await page.check(`input[data-filter=metric][value="${expected.metric}"]`);
    await ready(page);
    await page.fill('input[data-key=min]', String(expected.min));
    await page.keyboard.press('Tab');
    await page.waitForFunction(
      (text) => document.getElementById('count').textContent.includes(text),
      `at least ${expected.min} jobs`,
    );
    await ready(page);
    assert.equal(await hash(), expected.hash);
    assert.match(await count(), new RegExp(`${expected.units} of ${expected.all} units on ${expected.instances} of `));
    const rows = await cells(page, '#app', 'Ratio to opt');
    for (const w of expected.rows) {
      const got = rows.find((r) => r[0] === w.algorithm);
      assert.equal(got[1], `${w.compared}/${w.instances}`, w.algorithm);
      if (w.geometric_mean.hi === null) continue;
      const ends = got[2].split(' … ').map(Number);
      assert.ok(
        Math.abs(ends[0] - w.geometric_mean.lo) < 6e-5 && Math.abs(ends.at(-1) - w.geometric_mean.hi) < 6e-5,
        `${w.algorithm}: ${got[2]}`,
      );
    }
    assert.match(
      await page.textContent('#live-ecdf figcaption'),
      new RegExp(`metric ${expected.metric}, at least ${expected.min} jobs`),
    );
    for (const figure of ['ecdf', 'profile', 'trend', 'times'])
      assert.ok(await page.isVisible(`#live-${figure} canvas`), figure);
  });

  await check('the address survives a reload, and the back button goes back', async () => {
    const before = await count();
    await page.reload();
    await ready(page);
    assert.equal(await count(), before);
    assert.ok(await page.isChecked(`input[data-filter=metric][value="${expected.metric}"]`));
    await page.goBack();
    await ready(page);
    assert.equal(await hash(), `#metric=${expected.metric}`);
    assert.equal(await page.inputValue('input[data-key=min]'), '');
    await page.goForward();
    await ready(page);
    assert.equal(await count(), before);
    await page.click('#clear');
    await page.waitForFunction(() => location.hash.length < 2);
    await ready(page);
  });

  await check('the profile is normalised again by the algorithms selected', async () => {
    const best = async (query) => {
      await visit(`#profile=best${query}`);
      await page.click('#live-profile details summary');
      return (await cells(page, '#live-profile', await page.textContent('#live-profile figcaption strong')))
        .slice(1)
        .filter((r) => Number(r[1]) === 1);
    };
    const alone = await best('&algorithm=fair');
    const among = await best('&algorithm=fair&algorithm=flex');
    assert.deepEqual(
      alone.map((r) => r[0]),
      ['fair'],
    );
    const share = (rows, name) => Number.parseFloat(rows.find((r) => r[0] === name)?.[2] ?? '0');
    assert.ok(
      share(alone, 'fair') > 90 && share(among, 'fair') < share(alone, 'fair') && share(among, 'flex') > 0,
      JSON.stringify([alone, among]),
    );
  });

  await check('penalties of unsolved units can be chosen', async () => {
    await visit('');
    const mean = async () =>
      (
        await cells(
          page,
          '#app',
          await page.evaluate(
            () =>
              [...document.querySelectorAll('#app caption')].find((c) => c.textContent.startsWith('Wall times'))
                .textContent,
          ),
        )
      ).find((r) => r[0].startsWith('opt') && r[1] === 'exact')[3];
    assert.ok(await page.evaluate(() => document.getElementById('app').textContent.includes('Wall times, PAR2')));
    const before = await mean();
    await page.selectOption('label:has-text("Penalty") select', '10');
    await page.waitForFunction(() => document.getElementById('app').textContent.includes('Wall times, PAR10'));
    await ready(page);
    assert.notEqual(await mean(), before);
    assert.equal(await hash(), '#par=10');
  });

  await check('a click on a point opens its instance, Escape closes it', async () => {
    await visit('');
    const box = await page.locator('#live-ecdf .u-over').boundingBox();
    await page.locator('#live-ecdf').scrollIntoViewIfNeeded();
    const at = await page.locator('#live-ecdf .u-over').boundingBox();
    assert.ok(box);
    let opened = false;
    for (let k = 1; k < 24 && !opened; k++) {
      // the curve crosses this height somewhere
      await page.mouse.click(at.x + (at.width * k) / 24, at.y + at.height * 0.4);
      await ready(page);
      opened = await page.isVisible('dialog');
    }
    assert.ok(opened, 'no point was hit');
    assert.match(await hash(), /open=[0-9a-f]{64}/);
    assert.match(await page.textContent('dialog'), /schedgap solve instances\/[0-9a-f]{64}\.json -a /);
    await page.keyboard.press('Escape');
    await page.waitForFunction(() => !location.hash.includes('open='));
    assert.ok(!(await page.isVisible('dialog')));
  });

  await check('the panel has hash, bounds, error and a command to copy', async () => {
    await page.evaluate((h) => (location.hash = h), `#open=${expected.failed.sha}`);
    await page.waitForSelector('dialog[open]');
    const text = await page.textContent('dialog');
    for (const want of [expected.failed.name, `${expected.failed.sha}.json`, 'best bound', expected.failed.error])
      assert.ok(text.includes(want), want);
    assert.equal(await page.getAttribute('dialog dl a', 'href'), `../instances/${expected.failed.sha}.json`);
    await page.click('dialog .command button >> nth=0');
    await page.waitForFunction(() => document.getElementById('live').textContent === 'The command is copied.');
    await page.click('dialog button:has-text("Close")');
    await page.waitForSelector('dialog', { state: 'hidden' });
  });

  await check('a small instance shows the heuristic above the optimum', async () => {
    await visit(`#open=${expected.drawn.sha}`);
    assert.equal(await page.locator('dialog svg.gantt').count(), 2);
    assert.equal(await page.locator('dialog svg.gantt rect.bar').count(), expected.drawn.bars);
    assert.match(await page.locator('dialog h4').last().textContent(), /^opt/);
    await page.keyboard.press('Escape');
  });

  await check('the keyboard reaches filters, points and instances', async () => {
    await visit('');
    await page.focus('.filter summary');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Space');
    await page.waitForFunction(() => location.hash.includes('algorithm='));
    await ready(page);
    assert.equal(await page.evaluate(() => document.activeElement.dataset.filter), 'algorithm', 'the focus stays');
    await page.keyboard.press('Escape');
    assert.equal(await page.evaluate(() => document.activeElement.tagName), 'SUMMARY');
    await page.focus('#live-ecdf .plot');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowRight');
    assert.match(await page.textContent('#live'), /instance f\d+, objective/);
    await page.keyboard.press('Enter');
    await page.waitForSelector('dialog[open]');
    assert.ok(await page.evaluate(() => document.querySelector('dialog').contains(document.activeElement)));
    await page.keyboard.press('Escape');
  });

  await check('everything has a name for readers that cannot see it', async () => {
    await visit('');
    const bad = await page.evaluate(() => {
      const out = [];
      for (const e of document.querySelectorAll('#app :is(button, select, input)')) {
        if (!(e.getAttribute('aria-label') || e.textContent.trim() || e.closest('label')?.textContent.trim()))
          out.push(e.outerHTML.slice(0, 100));
      }
      for (const f of document.querySelectorAll('#app .plot'))
        if (!/n = |n of|Instances:/.test(f.getAttribute('aria-label'))) out.push(f.parentNode.id);
      for (const t of document.querySelectorAll('#app table'))
        if (!t.caption || t.querySelector('thead th:not([scope])')) out.push(t.caption?.textContent ?? 'table');
      const ids = [...document.querySelectorAll('[id]')].map((e) => e.id);
      return [...out, ...ids.filter((id, i) => ids.indexOf(id) !== i)];
    });
    assert.deepEqual(bad, []);
    assert.equal(await page.getAttribute('#live', 'aria-live'), 'polite');
    assert.match(await page.textContent('#live'), /units on/);
  });

  await check('dark by the system and by the button', async () => {
    const paper = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    const light = await paper();
    await page.emulateMedia({ colorScheme: 'dark' });
    const dark = await paper();
    assert.notEqual(dark, light);
    await page.click('#theme');
    assert.equal(await paper(), light);
    await page.click('#theme');
    await page.emulateMedia({ colorScheme: 'light' });
    assert.equal(await paper(), dark);
    assert.ok(await page.isVisible('#live-ecdf canvas'));
    await page.click('#theme');
  });

  await check('on paper: unfiltered the static report, filtered what is shown', async () => {
    await page.emulateMedia({ media: 'print' });
    assert.ok((await page.isVisible('#trouble')) && !(await page.isVisible('#app')));
    await visit(`#metric=${expected.metric}`);
    assert.ok(
      !(await page.isVisible('#trouble')) &&
        (await page.isVisible('#view-ratios')) &&
        !(await page.isVisible('.filters')),
    );
    assert.ok(await page.isVisible('#count'));
    await page.emulateMedia({ media: 'screen' });
  });

  await check('another problem, its own views, and simulations', async () => {
    await visit('');
    await page.selectOption('label:has-text("Problem") select', 'pocd');
    await page.waitForFunction(() => document.getElementById('count').textContent.startsWith('pocd'));
    await ready(page);
    const live = await cells(page, '#app', 'Ratio to opt');
    assert.ok(live.some((r) => r[0] === 'shed'));
    assert.ok((await cells(page, '#app', 'Simulations')).length > 1);
    assert.equal(await hash(), '#problem=pocd');
  });

  await check('without scripts the static report is there', async () => {
    const context = await browser.newContext({ javaScriptEnabled: false });
    const plain = await context.newPage();
    await plain.goto(url);
    assert.ok((await plain.isVisible('#trouble')) && !(await plain.isVisible('#app')));
    assert.ok(await plain.isVisible('noscript'));
    await context.close();
  });

  await check('no complaints on the console, nothing loaded', () => {
    assert.deepEqual(complaints, []);
    assert.deepEqual(
      requests.filter((r) => !r.startsWith(url)),
      [],
    );
  });
  await browser.close();
}
