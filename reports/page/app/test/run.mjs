// Checks an interactive page: node test/run.mjs DIR, where DIR is a report with expected.json, what an independent
// computation says of one filter. CHROMIUM names the browser. Prints a line a check; the exit code is 1 if one fails.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { numbers } from './numbers.mjs';
import { browse } from './browse.mjs';

const dir = process.argv[2];
const read = (name) => readFileSync(join(dir, name), 'utf8');
let failed = 0;

/** Runs one check. */
async function check(name, run) {
  try {
    await run();
    console.log(`ok   ${name}`);
  } catch (e) {
    failed++;
    console.log(`FAIL ${name}: ${e.message}`);
  }
}

const expected = JSON.parse(read('expected.json'));
await numbers(read('index.html'), JSON.parse(read('summary.json')), expected, check);
await browse(join(dir, 'index.html'), JSON.parse(read('summary.json')), expected, check);
process.exit(failed ? 1 : 0);
