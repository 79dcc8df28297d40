// Everything about one instance: what is known of it, its units with their commands, and drawings of solutions.

const wordOf = (column, i) => column.words[column.at[i]];

/** The contents of the panel on instance i, units of one algorithm first. */
function details(p, i, links, first) {
  const sha = p.hashes[i];
  const hash = el('code', { title: sha, 'data-copy': sha }, `${sha.slice(0, 12)}…`);
  const facts = el('dl', {}, el('dt', {}, 'SHA-256'),
    el('dd', {}, links ? el('a', { href: `${links}/${sha}.json` }, hash) : hash, ' ', copier(hash, 'hash of the instance')),
    ...p.facts.flatMap((f) => [el('dt', {}, f.head), el('dd', {}, wordOf(f, i))]));
  const heads = p.units.map((c) => c.head);
  const algorithm = heads.indexOf('algorithm');
  const list = p.instance.flatMap((k, u) => (k === i ? [u] : []));
  const opened = (u) => wordOf(p.units[algorithm], u) === first;
  list.sort((a, b) => opened(b) - opened(a) || a - b);
  const cell = (c, u) => {
    const text = wordOf(c, u);
    if (c.head === 'error') return text ? el('pre', { class: 'error' }, text) : '–';
    if (c.head !== 'to run it again') return text;
    const code = el('code', {}, text.replace('SHA256', sha).replace('INSTANCE', () => p.quoted[i]));
    return el('div', { class: 'command' }, code, ' ', copier(code, `command of ${wordOf(p.units[algorithm], u)}`));
  };
  const picture = el('div', { class: 'schedules' });
  if (p.charts[i]) picture.innerHTML = p.charts[i]; // made by the program, names in it are escaped
  else picture.append(el('p', { class: 'note' }, 'No solution of this instance is drawn here: drawings are of small solutions that were kept. schedgap check --draw makes them.'));
  return [
    facts,
    newTable('What is known of the optimum', ['reference', ...p.known[0].columns.map((c) => c.head)], 1,
      p.known.map((k) => [k.reference, ...k.columns.map((c) => wordOf(c, i))])),
    newTable('Units', heads, 3, list.map((u) => p.units.map((c) => cell(c, u)))),
    el('h3', {}, 'Solutions'),
    picture,
  ];
}
