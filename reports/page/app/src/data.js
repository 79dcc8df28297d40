// The results that the page carries: unpacked once, never changed.

/**
 * @typedef {Object} Problem one problem's results; see data.go for the columns
 * @property {string} name
 * @property {string} title
 * @property {number} sense 1: smaller is better, -1: larger
 * @property {{name: string, doc: string, within: string}[]} references
 * @property {{reference: string, difference: boolean, value: Float64Array, bound: Float64Array, proven: Uint16Array, scale: Float64Array,
 *   leavesOut: boolean[], place: number}[]} views with what is known of the reference's optima, by instance, the variants not
 *   compared, and the reference's place among the references
 * @property {{algorithm: string, kind: string, mark?: string, at_home: boolean, class: string, proof: string}[]} variants
 * @property {{title: string, head: string[], text: number, rows: {cells: string[]}[], notes: string[]}} [worst] instances that a search found
 * @property {string[]} instances names
 * @property {string[]} hashes SHA-256 of the instances' files
 * @property {{name: string, words: string[]|null}[]} features
 * @property {Record<string, string[]>} words of the index columns
 * @property {Record<string, string[]>} related the classes and references that each class is compared with
 * @property {{unit: number, axis: string, bars: [string, string, number, number, number][]}[]} charts
 * @property {Record<string, Float64Array|Uint32Array|Uint16Array>} col
 * @property {Uint16Array} trouble 1: the instance has no ratios
 * @property {Uint16Array} differs 1: the instance is compared by regret
 * @property {number} units how many
 * @property {Uint32Array} first the first unit of each instance, and the number of units
 */

const arrays = { f64: Float64Array, u32: Uint32Array, u16: Uint16Array };

/** @param {string} text base64 */
function bytesOf(text) {
  if (Uint8Array.fromBase64) return Uint8Array.fromBase64(text);
  const raw = atob(text);
  const bytes = new Uint8Array(raw.length);
  for (let i = 0; i < raw.length; i++) bytes[i] = raw.charCodeAt(i);
  return bytes;
}

/** Undoes the order of bytes that compresses well. */
function unshuffle(bytes, at, { type, n }) {
  const width = arrays[type].BYTES_PER_ELEMENT;
  const out = new Uint8Array(n * width);
  for (let b = 0; b < width; b++) {
    for (let i = 0, from = at + b * n; i < n; i++) out[i * width + b] = bytes[from + i];
  }
  return new arrays[type](out.buffer);
}

/**
 * Unpacks what data.go packed.
 * @param {string} text
 * @returns {Promise<{problems: Problem[], simulations: any[], contradictions: string[], links: string}>}
 */
export async function unpack(text) {
  const stream = new Blob([bytesOf(text)]).stream().pipeThrough(new DecompressionStream('deflate'));
  const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
  const length = new DataView(bytes.buffer).getUint32(0, true);
  const data = JSON.parse(new TextDecoder().decode(bytes.subarray(4, 4 + length)));
  let at = 4 + length;
  for (const p of data.problems) {
    p.sense = p.sense === 'max' ? -1 : 1;
    p.seed = data.seed;
    p.col = {};
    for (const c of p.columns) {
      p.col[c.name] = unshuffle(bytes, at, c);
      at += p.col[c.name].byteLength;
    }
    const instance = p.col.instance;
    p.units = instance.length;
    for (const v of p.views) {
      for (const key of ['value', 'bound', 'proven', 'scale']) v[key] = p.col[`${key}:${v.reference}`];
      v.place = p.references.findIndex((r) => r.name === v.reference);
      v.leavesOut = p.variants.map((x) => x.kind === 'bound' || !related(p, x.class, v.reference));
    }
    p.trouble = p.col.trouble.map((w) => (p.words.trouble[w] ? 1 : 0));
    p.differs = p.col.comparison.map((w) => (p.words.comparison[w] === 'quotient' ? 0 : 1));
    restore(p);
    p.first = new Uint32Array(p.instances.length + 1).fill(p.units);
    for (let u = p.units - 1; u >= 0; u--) p.first[instance[u]] = u;
  }
  return data;
}

/** Whether two classes of solutions may be compared. */
export const related = (p, a, b) => p.related[a]?.includes(b) ?? false;

/** Fills in the bounds that data.go leaves out, because they equal a value. */
function restore(p) {
  const { status, value, bound } = p.col;
  const optimal = p.words.status.indexOf('optimal');
  for (let u = 0; u < p.units; u++) if (status[u] === optimal && Number.isNaN(bound[u])) bound[u] = value[u];
  for (const { name } of p.references) {
    const best = p.col[`bound:${name}`];
    p.col[`proven:${name}`].forEach((proven, i) => proven && (best[i] = p.col[`value:${name}`][i]));
  }
}

/** The word of an index column. */
export const word = (p, name, i) => p.words[name][p.col[name][i]];

/** The unit's command line, typed in the results' directory. */
export function command(p, u) {
  const i = p.col.instance[u];
  const pattern = word(p, 'command', u);
  const solve = 'schedgap solve instances/SHA256.json';
  if (pattern.startsWith(solve))
    return pattern.replace('SHA256', p.hashes[i]) + BigInt.asUintN(64, BigInt(p.col.seed[u]));
  return pattern.replace(/INSTANCE$/, () => quote(p.instances[i].replace(/[\\*?[,]/g, '\\$&'))); // as glob does in cases.go
}

const quote = (arg) => (/^[\w@%+=:,./-]+$/.test(arg) ? arg : `'${arg.replaceAll("'", `'\\''`)}'`);
