// Simulated metrics: a picture a metric, a row a policy, and the table of all.

import { choice, el } from './dom.js';
import { strip } from './strip.js';
import * as tables from './tables.js';
import { table } from './table.js';

const most = 24; // pictures at a time

/** Fills area with the simulations of one problem. */
export function simulations(area, list, telling, show) {
  area.replaceChildren();
  if (list.length === 0) return;
  const workloads = [...new Set(list.map((s) => s.workload))];
  const policies = [...new Set(list.map((s) => s.policy))].sort();
  const pictures = el('div', { class: 'figures' });
  const draw = (workload) => {
    const here = list.filter((s) => s.workload === workload);
    const metrics = [...new Set([telling, ...here.map((s) => s.metric)])].filter((m) => {
      const means = here.filter((s) => s.metric === m).map((s) => s.mean);
      return means.some((x) => x !== means[0]) || means.length === 1; // what is the same for all policies is in the table
    });
    show(pictures, metrics.slice(0, most).map((metric) => picture(here.filter((s) => s.metric === metric), `simulated-${metric}`, policies)));
  };
  area.append(
    ...(workloads.length > 1 ? [choice('Workload', workloads, workloads[0], draw)] : []),
    pictures,
    table(tables.simulations(list)),
  );
  draw(workloads[0]);
}

/** The picture of one metric. */
export function picture(list, name, policies = [...new Set(list.map((s) => s.policy))].sort()) {
  const one = list[0];
  const unit = one.unit ? ` (${one.unit})` : '';
  const number = (x) => x ?? NaN;
  return strip(
    {
      name,
      key: `simulated-${one.problem}-${one.metric}`,
      file: `${one.problem}-${one.metric}`,
      title: `${one.words}${unit}`,
      caption: `${one.problem}, ${one.workload}: ${Math.max(...list.map((s) => s.repetitions))} repetitions.`,
      how: 'a row is a policy: the tick is the mean over the repetitions, the thick line its 95 % interval, the thin one reaches from the smallest to the largest value.',
      axis: { label: `${one.words}${unit}` },
      rows: [...list]
        .sort((a, b) => a.mean - b.mean)
        .map((s) => ({
          label: s.name,
          style: policies.indexOf(s.policy),
          dots: [],
          mean: number(s.mean),
          ci: [number(s.ci_lo), number(s.ci_hi)],
          range: [number(s.min), number(s.max)],
        })),
    },
    () => {},
    () => '',
  );
}
