// The page in a headless browser: what a reader does with mouse and keyboard.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
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

const patience = 60_000; // ms; machines may be busy

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

/** What axe-core says is wrong with the page, and where. */
export async function violations(page) {
  // with evaluate, which the page's content security policy lets through
  await page.evaluate(readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8'));
  const { violations: list } = await page.evaluate(() => globalThis.axe.run(document));
  return list.map((v) => `${v.id}: ${v.nodes.slice(0, 3).map((n) => n.target.join(' ')).join(', ')} (${v.nodes.length})`);
}

export async function browse(file, report, expected, check) {
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
  await visit('#problem=flex');

  await check('unfiltered, every live table is the static one', async () => {
    const compare = async (...titles) => {
      for (const title of titles) {
        const [live, fixed] = [await cells(page, '#app', title), await cells(page, '#static', title)];
        assert.ok(live?.length > 1 && fixed, `no table ${title}`);
        assert.deepEqual(live, fixed, title); // intervals, too: the resamples are the same
      }
    };
    await page.selectOption('label:has-text("Head to head with") select', 'all');
    await ready(page);
    await compare('How every unit ended', 'What is known of the optima', 'Ratio to opt', 'Head to head', 'Exact methods');
    await visit('#problem=flex&view=opt-regret');
    await page.click('summary:has-text("By class of instances") >> visible=true');
    await compare('Regret to opt', 'Regret to opt by class');
    await visit('#problem=flex');
  });

  await check('the first screen: sentences, alarms that lead on, where it comes from, and the picture', async () => {
    const sentences = await page.$$eval('.headlines li', (list) => list.map((li) => [li.textContent, li.hidden]));
    assert.deepEqual(
      sentences,
      report.headlines.map((h) => [h.text, h.problem !== 'flex']),
    );
    const before = (a, b) =>
      page.evaluate(
        ([x, y]) => Boolean(document.querySelector(x).compareDocumentPosition(document.querySelector(y)) & 4),
        [a, b],
      );
    assert.ok((await before('.headlines', '#live-overview svg')) && (await before('#live-overview svg', '#app table')));
    assert.match(await page.textContent('.lede'), /suite test.*2 January 2026.*host node1/);
    assert.match(await page.textContent('#provenance'), /schedgap v0/);
    const rows = await page.$$eval('#live-overview svg.drawn text[font-weight]', (list) => list.map((t) => t.textContent));
    assert.deepEqual(rows.slice(0, 4), ['flex-ls', 'flex', 'spt', 'fair']); // the best first, fifo* is not asked for
    assert.equal(rows.length, 4);
    await page.click('.notices .alarm a:has-text("flex")');
    await ready(page);
    assert.equal(await hash(), '#problem=flex&at=trouble');
    assert.ok(await page.evaluate(() => document.activeElement.id === 'title-trouble'));
    assert.ok(await page.isVisible('text=Units that failed'));
  });

  await check('several problems open on an overview', async () => {
    await visit('');
    assert.equal(await page.locator('#live-overview .card svg.drawn').count(), 2);
    assert.ok(!(await page.isVisible('#view-ratios')) && !(await page.isVisible('#live-filters')));
    await page.click('.headlines a:has-text("flex")');
    await ready(page);
    assert.equal(await hash(), '#problem=flex');
  });

  await check('tables sort by a click, mark the best and lead to the worst', async () => {
    await visit('#problem=flex');
    const head = page.locator('#live-ratios th button:has-text("worst")');
    const column = async () => (await cells(page, '#live-ratios', 'Ratio to opt')).slice(1).map((r) => r[0]);
    assert.equal((await column())[0], 'flex-ls');
    await head.click();
    await head.click();
    const down = await column();
    assert.equal(down.at(-1), 'fifo*', 'what is apart stays apart');
    assert.equal(down[0], 'fair');
    assert.equal(await page.locator('#live-ratios th[aria-sort=descending]').textContent(), 'worst');
    const best = await page.$$eval('#live-ratios td.best', (list) => list.map((c) => c.parentNode.cells[0].textContent));
    const marked = report.problems[0].ratios.filter((r) => r.best && !r.difference && r.reference === 'opt' && !r.source && !r.metric);
    assert.deepEqual([...new Set(best)].sort(), marked.map((r) => r.algorithm).sort());
    await page.click('#live-ratios td a >> nth=0');
    await page.waitForSelector('dialog[open]');
    assert.match(await hash(), /open=[0-9a-f]{64}&?.*of=|of=.*open=/);
    await page.keyboard.press('Escape');
    await page.waitForFunction(() => !location.hash.includes('open='));
  });

  await check('points stand below each other in a column of numbers', async () => {
    const rights = await page.$$eval('#live-ratios tbody td:nth-child(6)', (list) => {
      const range = document.createRange();
      return list.filter((td) => td.textContent.includes('.')).map((td) => {
        const text = td.firstChild;
        const at = text.data.lastIndexOf('.');
        range.setStart(text, at);
        range.setEnd(text, at + 1);
        return Math.round(range.getBoundingClientRect().left);
      });
    });
    assert.ok(rights.length > 3 && Math.max(...rights) - Math.min(...rights) <= 1, rights.join());
  });

  await check('legends show and hide series; what is not comparable is off and does not stretch the axes', async () => {
    await visit('#problem=flex');
    const last = () => page.$$eval('#live-profile svg.drawn text', (list) => Math.max(...list.map((t) => Number(t.textContent) || 0)));
    const pressed = (name) => page.getAttribute(`#live-profile .legend button:text-is("${name}")`, 'aria-pressed');
    assert.deepEqual([await pressed('fifo*'), await pressed('fair')], ['false', 'true']);
    const before = await last();
    await page.click('#live-profile .legend button:text-is("fifo*")');
    assert.ok((await last()) > before, 'the axis is for all that is shown');
    const paths = await page.locator('#live-profile svg.drawn g > path').count();
    await page.click('#live-profile .legend button:text-is("fair")');
    assert.ok((await page.locator('#live-profile svg.drawn g > path').count()) < paths);
    await page.click('#live-profile .legend button:text-is("fair")');
    await page.click('#live-profile .legend button:text-is("fifo*")');
    await page.selectOption('#live-overview select[aria-label^=Show]', 'boxes');
    assert.equal(await page.locator('#live-overview svg.drawn g rect').count(), 4);
    await page.selectOption('#live-overview select[aria-label^=Show]', 'dots');
    await page.selectOption('#live-overview select[aria-label^=Scale]', 'log');
    assert.ok((await page.textContent('#live-overview svg.drawn')).includes('optimal'));
    await page.selectOption('#live-overview select[aria-label^=Scale]', 'linear');
  });

  await check('plots and tables can be taken along', async () => {
    const take = async (selector) => {
      const [download] = await Promise.all([page.waitForEvent('download'), page.click(selector)]);
      return { name: download.suggestedFilename(), data: readFileSync(await download.path()) };
    };
    const svg = await take('#live-overview .downloads button:text-is("SVG")');
    assert.equal(svg.name, 'flex-overview.svg');
    assert.ok(!/var\(--|transient|<script/.test(svg.data.toString()) && svg.data.toString().includes('flex-ls'));
    const png = await take('#live-overview .downloads button:text-is("PNG")');
    assert.deepEqual([png.name, png.data.subarray(1, 4).toString()], ['flex-overview.png', 'PNG']);
    const table = await take('#live-ratios .table-bar button:text-is("CSV")');
    assert.equal(table.name, 'ratio-to-opt.csv');
    assert.match(table.data.toString(), /^algorithm,above opt,worst,optimal,compared,.*\r\n/);
  });

  await check('the static report replaces the interactive one', async () => {
    await page.click('#everything');
    assert.ok((await page.isVisible('#trouble')) && !(await page.isVisible('#app')));
    await page.click('#everything');
    assert.ok(!(await page.isVisible('#trouble')) && (await page.isVisible('#app')));
  });

  await check('on a phone nothing is wider than the screen, filters are folded, columns wait', async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    await visit('#problem=flex');
    const words = await page.$$eval('#live-ratios th', (list) => list.filter((th) => th.scrollWidth > th.clientWidth).map((th) => th.textContent));
    assert.deepEqual(words, [], 'words are not broken, and fit');
    assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= 390);
    assert.ok(!(await page.isVisible('.filters')) && !(await page.isVisible('#live-ratios th:has-text("p90")')));
    assert.ok(!(await page.isVisible('#live-plots')) && (await page.isVisible('#live-ratios')));
    await page.click('#live-nav a:text-is("Comparisons")');
    await ready(page);
    assert.ok(await page.isVisible('#live-comparisons table >> nth=0'), 'its section opens');
    assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= 390, 'comparisons');
    const width = (await page.locator('#live-ratios table').boundingBox()).width;
    assert.ok(width <= 390, `the table is ${width} wide`);
    await page.click('#live-ratios button:text-is("All columns")');
    assert.ok(await page.isVisible('#live-ratios th:has-text("p90")'));
    await page.setViewportSize({ width: 1280, height: 900 });
  });

  await check('axe finds no violation, in the light and in the dark', async () => {
    for (const [at, colorScheme] of [
      ['', 'light'],
      ['#problem=flex', 'light'],
      ['#problem=pocd', 'dark'],
      [`#open=${expected.drawn.sha}`, 'dark'],
    ]) {
      await page.emulateMedia({ colorScheme });
      await visit(at);
      assert.deepEqual(await violations(page), [], `${at || 'overview'}, ${colorScheme}`);
    }
    await page.emulateMedia({ colorScheme: 'light' });
    await visit('#problem=flex');
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
      const at = (head) => got[rows[0].indexOf(head)];
      assert.equal(at('compared'), `${w.compared}/${w.instances}`, w.algorithm);
      if (w.geometric_mean.hi === null) continue;
      const mean = at('geometric mean');
      const ends = mean.split(' … ').map(Number);
      assert.ok(
        Math.abs(ends[0] - w.geometric_mean.lo) < 6e-5 && Math.abs(ends.at(-1) - w.geometric_mean.hi) < 6e-5,
        `${w.algorithm}: ${mean}`,
      );
    }
    assert.match(
      await page.textContent('#live-ecdf figcaption'),
      new RegExp(`metric ${expected.metric}, at least ${expected.min} jobs`),
    );
    for (const figure of ['ecdf', 'profile', 'trend', 'times'])
      assert.ok(await page.isVisible(`#live-${figure} svg.drawn`), figure);
  });

  await check('the address survives a reload, and the back button goes back', async () => {
    const before = await count();
    await page.reload();
    await ready(page);
    assert.equal(await count(), before);
    assert.ok(await page.isChecked(`input[data-filter=metric][value="${expected.metric}"]`));
    await page.goBack();
    await ready(page);
    assert.equal(await hash(), `#problem=flex&metric=${expected.metric}`);
    assert.equal(await page.inputValue('input[data-key=min]'), '');
    await page.goForward();
    await ready(page);
    assert.equal(await count(), before);
    await page.click('#clear');
    await page.waitForFunction(() => location.hash === '#problem=flex');
    await ready(page);
  });

  await check('the profile is normalised again by the algorithms selected', async () => {
    const best = async (query) => {
      await visit(`#profile=best${query}`);
      await page.click('#live-profile .numbers summary');
      return (await cells(page, '#live-profile', await page.textContent('#live-profile .title')))
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
    await visit('#problem=flex');
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
    assert.equal(await hash(), '#problem=flex&par=10');
  });

  await check('a click on a point opens its instance, Escape closes it', async () => {
    await visit('#problem=flex');
    const box = await page.locator('#live-ecdf .canvas').boundingBox();
    await page.locator('#live-ecdf').scrollIntoViewIfNeeded();
    const at = await page.locator('#live-ecdf .canvas').boundingBox();
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
    await visit('#problem=flex');
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
    assert.match(await page.textContent('#live'), /f\d+, objective/);
    await page.keyboard.press('Enter');
    await page.waitForSelector('dialog[open]');
    assert.ok(await page.evaluate(() => document.querySelector('dialog').contains(document.activeElement)));
    await page.keyboard.press('Escape');
  });

  await check('menus close on Escape and on clicks elsewhere, wherever the focus is', async () => {
    await visit('#problem=flex');
    const open = () => page.locator('details.filter[open]').count();
    for (const close of [() => page.keyboard.press('Escape'), () => page.click('#first h1')]) {
      await page.click('summary:has-text("Algorithm: all")');
      await page.evaluate(() => document.activeElement.blur());
      assert.equal(await open(), 1);
      await close();
      assert.equal(await open(), 0);
    }
  });

  await check('head to head: the best against each other one, corrected for these, or any other that is chosen', async () => {
    await visit('#problem=flex');
    const rows = (await cells(page, '#live-comparisons', 'Head to head with flex-ls')).slice(1);
    const others = report.problems[0].head_to_head.filter((q) => [q.a, q.b].includes('flex-ls'));
    assert.deepEqual(rows.map((r) => r[0]).sort(), others.map((q) => (q.a === 'flex-ls' ? q.b : q.a)).sort());
    assert.ok(rows.every((r) => /^\[.*\]$|^–$/.test(r[7])), 'an interval');
    const of = (list, key) => Math.min(...list.map((q) => q[key]).filter((x) => x !== null));
    assert.ok(of(others, 'wilcoxon_p') > 0 && rows.length < report.problems[0].head_to_head.length);
    await page.selectOption('label:has-text("Head to head with") select', 'fair');
    await ready(page);
    assert.equal(await hash(), '#problem=flex&against=fair');
    assert.ok((await cells(page, '#live-comparisons', 'Head to head with fair')).some((r) => r[0] === 'flex-ls'));
  });

  await check('everything has a name for readers that cannot see it', async () => {
    await visit('#problem=flex');
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
    assert.ok(await page.isVisible('#live-ecdf svg.drawn'));
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
    await visit('#problem=flex');
    await page.click('nav.tabs a:text-is("pocd")');
    await page.waitForFunction(() => document.getElementById('count').textContent.startsWith('pocd'));
    await ready(page);
    const live = await cells(page, '#app', 'Ratio to opt by class'); // a factor varies
    const shed = live.filter((r) => r[1] === 'shed').map((r) => r[0]);
    assert.deepEqual(shed, ['generate, cluster=5', 'generate, cluster=10', 'generate, cluster=100']);
    assert.ok((await cells(page, '#app', 'Simulated metrics')).length > 1);
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
