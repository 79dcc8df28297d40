// The script's numbers without a browser: unfiltered those of summary.json, filtered those of an independent computation.

import assert from 'node:assert/strict';
import { linear, scale } from '../src/axes.js';
import { unpack } from '../src/data.js';
import { select } from '../src/ratio.js';
import { maskOf, parse } from '../src/state.js';
import * as summary from '../src/summary.js';

/** JSON has null where there is no number. */
function same(got, want, what) {
  if (want === null || want === undefined) // infinities are null in JSON
    return assert.ok(Number.isNaN(got) || got === null || Math.abs(got) === Infinity, `${what}: ${got}, want none`);
  assert.ok(Math.abs(got - want) <= 1e-9 * Math.max(1, Math.abs(want)), `${what}: ${got}, want ${want}`);
}

function compare(got, want, names, what) {
  for (const name of names) {
    if (typeof want[name] === 'object' && want[name] !== null) {
      for (const k of ['lo', 'hi']) same(got[name][k], want[name][k], `${what} ${name}.${k}`);
    } else same(got[name], want[name], `${what} ${name}`);
  }
}

const extremes = [0, 1, 1 + Number.EPSILON, 1 + 1e-9, 1 + 1e-8, 42, -42, 1e-300, 1e300, -1e300, 1e15, 1e15 + 1, 5e-324];

/** Axes of any range have ticks that can be told apart, and not many. */
export function axes() {
  for (const lo of extremes)
    for (const hi of extremes.filter((x) => x >= lo))
      for (const log of [false, true]) {
        const { ticks, at } = scale({ label: 'x', log }, lo, hi, 0, 500);
        const labels = new Set(ticks.map((t) => t.label));
        assert.ok(linear(lo, hi).length <= 100 && ticks.length <= 40 && labels.size === ticks.length, `${lo} to ${hi}: ${[...labels]}`);
        assert.ok(ticks.every((t) => at(t.v) > -5 && at(t.v) < 505), `${lo} to ${hi}: ticks off the axis`);
      }
}

export async function numbers(html, report, expected, check) {
  await check('axes of any range', axes);
  const data = await unpack(/<script id="data"[^>]*>([^<]*)</.exec(html)[1]);
  const everything = (p) => new Uint8Array(p.units).fill(1);
  for (const [k, p] of data.problems.entries()) {
    const want = report.problems[k];
    await check(`${p.name}: ratio tables are those of summary.json`, () => {
      const got = p.views.flatMap((v) => summary.ratios(p, v, select(p, v, everything(p))));
      assert.equal(got.length, want.ratios.length);
      const key = (r) =>
        [r.algorithm, r.kind, r.mark ?? '', r.reference, r.difference, r.source ?? '', r.metric ?? '', r.stratum ?? ''].join('/');
      const at = new Map(got.map((r) => [key(r), r]));
      for (const w of want.ratios) {
        const g = at.get(key(w));
        assert.ok(g, `no row ${key(w)}`);
        compare(
          g,
          w,
          [
            'units',
            'instances',
            'compared',
            'undefined',
            'no_bound',
            'no_value',
            'no_solution',
            'unsolved',
            'infinite',
            'untrusted',
            'proven',
            'optimal',
            'geometric_mean',
            'arithmetic_mean',
            'common_mean',
            'common_instances',
          ],
          key(w),
        );
        assert.deepEqual(g.statuses, w.statuses);
        w.quantiles.forEach((q, n) => compare({ q: g.quantiles[n] }, { q }, ['q'], `${key(w)} ${q.p}`));
        compare(g.seconds, w.seconds, ['units', 'shifted_geometric_mean', 'median', 'max'], `${key(w)} seconds`);
        assert.deepEqual([g.worst?.instance, g.worst?.seed], [w.worst?.instance, w.worst?.seed], `${key(w)} worst`);
        if (w.worst) compare(g, w, ['worst'], key(w));
        assert.equal(g.best, w.best, `${key(w)} best`);
        assert.equal(g.outside, w.outside ?? false, `${key(w)} outside`);
      }
    });
    await check(`${p.name}: bootstrap intervals are those of summary.json`, () => {
      const list = p.views.flatMap((v) => summary.ratios(p, v, select(p, v, everything(p))));
      list.forEach((r) => summary.addInterval(p, r));
      const lead = (r) => (r.difference ? r.arithmetic_mean : r.geometric_mean);
      list.forEach((r) => {
        const w = lead(
          want.ratios.find(
            (x) =>
              x.algorithm === r.algorithm &&
              x.reference === r.reference &&
              x.difference === r.difference &&
              (x.source ?? '') === r.source &&
              (x.metric ?? '') === r.metric,
          ),
        );
        if (w.ci_lo === null)
          return assert.ok(Number.isNaN(lead(r).ci_lo), `${r.algorithm}: an interval that there is not`);
        for (const end of ['ci_lo', 'ci_hi']) same(lead(r)[end], w[end], `${r.algorithm} ${end}`);
      });
    });
    await check(`${p.name}: comparisons, methods, outcomes and references are those of summary.json`, () => {
      const pairs = summary.pairs(p, everything(p));
      assert.equal(pairs.length, want.head_to_head.length);
      want.head_to_head.forEach((w, n) => {
        assert.equal(`${pairs[n].a}/${pairs[n].b}`, `${w.a}/${w.b}`);
        assert.equal(pairs[n].remark, w.remark);
        compare(
          pairs[n],
          w,
          ['instances', 'unmatched', 'win', 'tie', 'loss', 'quotient', 'positive', 'ci_lo', 'ci_hi', 'sign_p', 'wilcoxon_p'],
          `${w.a}/${w.b}`,
        );
      });
      const solvers = summary.solvers(p, everything(p));
      assert.equal(solvers.length, want.solvers.length);
      want.solvers.forEach((w, n) => {
        const g = {
          ...solvers[n],
          median_first_value_seconds: solvers[n].first,
          mean_gap_at_limit: solvers[n].gap,
          median_nodes: solvers[n].nodes,
          median_columns: solvers[n].columns,
          median_rows: solvers[n].rows,
          max_rss_bytes: solvers[n].memory,
        };
        compare(
          g,
          w,
          [
            'units',
            'solved',
            'par1_seconds',
            'par2_seconds',
            'par10_seconds',
            'common_seconds',
            'common_instances',
            'median_first_value_seconds',
            'mean_gap_at_limit',
            'median_nodes',
            'median_columns',
            'median_rows',
            'max_rss_bytes',
          ],
          `${w.algorithm}/${w.solver}`,
        );
      });
      const outcomes = summary.outcomes(p, everything(p));
      assert.deepEqual(
        outcomes.map((o) => [o.algorithm, o.units, o.instances, o.solutions, o.statuses]),
        want.outcomes.map((o) => [o.algorithm, o.units, o.instances, o.solutions, o.statuses]),
      );
      summary
        .references(p, summary.instancesOf(p, everything(p)))
        .forEach((r, n) =>
          compare(r, want.references[n], ['proven', 'easy', 'open', 'value_only', 'unknown', 'untrusted'], r.name),
        );
    });
  }
  await check('a filter recomputes ratios as an independent computation does', () => {
    const state = parse(expected.hash, data);
    const p = data.problems[0];
    const rows = summary
      .ratios(p, p.views[0], select(p, p.views[0], maskOf(p, state)))
      .filter((r) => !r.source && !r.metric);
    assert.equal(rows.length, expected.rows.length);
    for (const w of expected.rows) {
      const g = rows.find((r) => r.algorithm === w.algorithm);
      compare(g, w, ['instances', 'compared', 'geometric_mean'], w.algorithm);
      same(g.worst?.hi ?? NaN, w.worst, `${w.algorithm} worst`);
    }
  });
}
