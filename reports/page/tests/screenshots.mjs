// Looks at reports: node test/screenshots.mjs OUT takes pictures of OUT/reports/*/index.html into OUT at several widths, light and
// dark, and says what axe-core finds. CHROMIUM names the browser. The exit code is 1 if there is something to mend.

import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { launch, ready, violations } from './browse.mjs';

const out = process.argv[2];
const browser = await launch();
let wrong = 0;
const shots = readdirSync(join(out, 'reports')).sort().map((name) => [name, pathToFileURL(join(out, 'reports', name, 'index.html')).href]);
// of a report on several problems one of its pages, too
for (const [name, url] of [...shots, ...shots.filter(([n]) => n === 'nightly').map(([n, u]) => [`${n}-cloning`, `${u}#problem=cloning`])]) {
  for (const [width, height] of [
    [1440, 900],
    [1024, 768],
    [390, 844],
  ]) {
    for (const colorScheme of ['light', 'dark']) {
      const page = await browser.newPage({ viewport: { width, height }, colorScheme });
      const start = performance.now();
      await page.goto(url);
      await ready(page);
      const loaded = Math.round(performance.now() - start);
      const found = width === 1024 ? [] : await violations(page);
      const wide = await page.evaluate(() => document.documentElement.scrollWidth);
      if (wide > width) found.push(`the page is ${wide} pixels wide`);
      await page.screenshot({ path: join(out, `${name}-${width}-${colorScheme}.png`) });
      console.log(`${name}, ${width} pixels, ${colorScheme}: ready after ${loaded} ms; ${found.length ? found.join('; ') : 'nothing found'}`);
      wrong += found.length;
      await page.close();
    }
  }
}
await browser.close();
process.exit(wrong ? 1 : 0);
