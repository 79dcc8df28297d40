// The top of a report as a picture: node picture.mjs REPORT FILE.png. CHROMIUM names the browser.

import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { launch, ready } from './browse.mjs';

const [report, file] = process.argv.slice(2);
const browser = await launch();
const page = await browser.newPage({ viewport: { width: 1200, height: 900 }, colorScheme: 'light' });
await page.goto(pathToFileURL(join(report, 'index.html')).href);
await ready(page);
await page.screenshot({ path: file });
await browser.close();
