#!/usr/bin/env node
// HiGHS of the npm package highs (WebAssembly) as a solver of one's own: another version beside the one that is linked.
//
//     scripts/npm-ci scripts/solvers
//     SCHEDGAP_SOLVERS=scripts/solvers/highs.json schedgap solve INSTANCE.json -a opt --solver highs-1.15
//
// Its own arguments: MODEL.mps SOLUTION SECONDS SEED; --version prints the version. Options are those of the linked HiGHS.
import { readFileSync, writeFileSync } from "node:fs";
import loadHighs from "highs";

const [file, solution, seconds, seed] = process.argv.slice(2);
const highs = await loadHighs({ print: () => {} });
if (file === "--version") {
  const about = new URL("./node_modules/highs/package.json", import.meta.url);
  console.log(JSON.parse(readFileSync(about)).version);
  process.exit(0);
}
const began = performance.now(); // reading a large model counts against the limit
const options = {
  output_flag: false, log_to_console: false,
  mip_rel_gap: 0, mip_abs_gap: 1e-9, random_seed: Number(seed),
  primal_feasibility_tolerance: 1e-9, dual_feasibility_tolerance: 1e-9, mip_feasibility_tolerance: 1e-6,
};
const model = highs.createModel({ format: "mps", data: readFileSync(file) });
try {
  model.options.set(options);
  model.options.set("time_limit", Math.max(0.001, Number(seconds) - (performance.now() - began) / 1000));
  model.run();
  writeFileSync(solution, model.exportSolution());
} finally {
  model.dispose();
}
