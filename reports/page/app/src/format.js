// Numbers as the static tables write them (table.go).

export const dash = '–';

/** Digits after the point, ties to even as Go has them; only multiples of a power of two can be ties. */
function fixed(x, n) {
  const scaled = Math.abs(x) * 10 ** n;
  if (scaled % 1 !== 0.5 || !Number.isInteger(x * 2 ** (n + 1))) return x.toFixed(n);
  const floor = Math.floor(scaled);
  return ((Math.sign(x) * (floor % 2 ? floor + 1 : floor)) / 10 ** n).toFixed(n);
}

const known = (x) => x !== null && x !== undefined && Number.isFinite(x);

/** Two digits of exponent, as in 1.50e+07. */
const exponent = (x) => x.toExponential(2).replace(/e([+-])(\d)$/, 'e$10$2');

/** @param {number} x */
export function num(x) {
  if (x === Infinity) return '∞';
  if (!known(x)) return dash;
  if (x === 0) return '0';
  const a = Math.abs(x);
  if (a >= 1e5 || a < 1e-3) return exponent(x);
  return fixed(x, a >= 100 ? 1 : a >= 10 ? 2 : 4);
}

/** A distance of which two ends are known, fractions, in percent: as Percentage in package words. */
export function percentage(lo, hi = lo) {
  const [a, b] = [percent(lo), percent(hi)];
  return a === b ? a : `${a.replace(' %', '')}–${b}`;
}

function percent(x) {
  const pc = 100 * Math.abs(x);
  if (x === Infinity) return '∞';
  if (!known(x)) return dash;
  if (pc < 1e-7) return '0 %';
  if (pc < 1e-3) return '< 0.001 %';
  if (pc >= 1e5) return `${exponent(pc)} %`;
  let decimals = pc >= 100 ? 0 : 1;
  for (let p = pc; p < 1; p *= 10) decimals++;
  return `${x < 0 ? '−' : ''}${fixed(pc, decimals)} %`;
}

/** A name of at most so many characters, shortened in its middle: names of one kind differ at their ends. */
export function middle(name, most) {
  const head = Math.floor((most - 1) / 3);
  return name.length > most ? `${name.slice(0, head)}…${name.slice(head + 1 - most)}` : name;
}

/** One number where the two ends agree to the digits shown. */
export function interval(lo, hi) {
  const a = num(lo);
  const b = num(hi);
  return a === b ? a : `${a} … ${b}`;
}

export const confidence = (s) => (known(s.ci_lo) && known(s.ci_hi) ? `[${num(s.ci_lo)}, ${num(s.ci_hi)}]` : dash);

const digits = (x, n) => String(Number(x.toPrecision(n)));

/** Seconds. */
export function secs(x) {
  if (!known(x)) return dash;
  if (x === 0) return '0 s';
  if (x < 1e-3) return `${digits(x * 1e6, 3)} µs`;
  if (x < 0.9995) return `${digits(x * 1e3, 3)} ms`;
  if (x < 1000) return `${digits(x, 3)} s`;
  return `${fixed(x, 0)} s`;
}

/** An objective value, with the digits that tell two of them apart. */
export const value = (x) => (known(x) ? digits(x, 8) : dash);

export const whole = (x) => (known(x) ? fixed(x, 0) : dash);

/** A p-value. */
export function pvalue(x) {
  if (!known(x)) return dash;
  return x < 0.001 ? '< 0.001' : fixed(x, 3);
}

/** "3/4 (75 %)", never rounded to all or none. */
export function share(n, of) {
  if (of === 0) return dash;
  const pc = (100 * n) / of;
  let text = fixed(pc, 0);
  if ((text === '100' && n < of) || (text === '0' && n > 0)) text = fixed(pc, 2);
  return `${n}/${of} (${text} %)`;
}

/** A count with thousands set apart. */
export const many = (n) => n.toLocaleString('en-US');
