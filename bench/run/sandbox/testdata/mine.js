const { Worker, isMainThread, parentPort } = require('worker_threads')
if (!isMainThread) { let s = []; for (let i = 0; i < 1e5; i++) s.push({ i }); parentPort.postMessage(s.length) } else {
  const i = JSON.parse(require('fs').readFileSync(0, 'utf8')), n = i.jobs.map(j => j.id), w = i.jobs[0].work
  new Worker(__filename).on('message', m => { if (m === 1e5) console.log(JSON.stringify({ problem: 'flex', instance: i.name, algorithm: 'x',
    intervals: [{ start: 0, end: w, slots: { [n[0]]: 1, [n[1]]: 1 } }, { start: w, end: 2 * w, slots: { [n[2]]: 1 } }] })) })
}
