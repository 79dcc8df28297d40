// The first screen of a report as a picture: node test/picture.mjs REPORT FILE.png. CHROMIUM names the browser.

import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { launch, ready } from './browse.mjs';

const [report, file] = process.argv.slice(2);
const browser = await launch();
const page = await browser.newPage({ viewport: { width: 1000, height: 880 }, deviceScaleFactor: 1.5, colorScheme: 'light' });
await page.goto(pathToFileURL(join(report, 'index.html')).href);
await ready(page);
await page.screenshot({ path: file });
await browser.close();
