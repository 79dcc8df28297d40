// How long a page takes to open: node test/open.mjs DIR.

import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { launch, ready } from './browse.mjs';

const browser = await launch();
const page = await browser.newPage();
await page.goto('about:blank');
const devtools = await page.context().newCDPSession(page);
await devtools.send('Performance.enable', { timeDomain: 'threadTicks' });
/** Processor time of the page's thread, which other work on the machine does not lengthen as it does the time by the clock. */
const busy = async () => {
  const { metrics } = await devtools.send('Performance.getMetrics');
  return Math.round(1000 * metrics.find((m) => m.name === 'TaskDuration').value);
};
const start = performance.now();
const since = () => `${Math.round(performance.now() - start)} ms`;
await page.goto(pathToFileURL(join(process.argv[2], 'index.html')).href);
await page.waitForFunction(
  () => document.getElementById('count')?.textContent && document.querySelector('#live-ratios table'),
);
const tables = since();
const onTables = await busy();
await page.waitForSelector('#app:is([data-ready=numbers], [data-ready=all])');
const everything = since();
const onEverything = await busy();
await ready(page);
console.log(
  `tables after ${tables}, all tables and plots after ${everything}, bootstrap intervals after ${since()}; ` +
    `processor time ${onTables} ms, ${onEverything} ms and ${await busy()} ms`,
);
await browser.close();
