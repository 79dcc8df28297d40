// Runs SQL on a results folder with DuckDB, without the duckdb program:
//
//     cd results/quick && node .../scripts/notebooks/duckdb.mjs < .../scripts/notebooks/recipes.sql
//
// The text on stdin is cut at lines "-- name: …". One line of JSON a part goes to stdout: {"name", "rows", "seconds"}, with the rows
// of the part's last statement, or {"name", "error"}, which makes the exit code 1. An infinite number is 1e999, which most readers of
// JSON take for one; null is not.
import { DuckDBInstance } from "@duckdb/node-api";
import { readFileSync } from "node:fs";

const infinite = { "Infinity": "1e999", "-Infinity": "-1e999" };
const plain = (_, v) => (typeof v === "bigint" ? `\u0000${v}` : infinite[v] && typeof v === "number" ? `\u0000${infinite[v]}` : v);

const connection = await (await DuckDBInstance.create(":memory:")).connect();
for (const part of readFileSync(0, "utf8").split(/^(?=-- name: )/m)) {
  const name = /^-- name: (.*)/.exec(part)?.[1] ?? "";
  if (!/^\s*[^\s-]/m.test(part)) continue; // nothing but comments
  const began = performance.now();
  const line = { name };
  try {
    const statements = await connection.extractStatements(part);
    for (let i = 0; i < statements.count; i++) {
      const reader = await (await statements.prepare(i)).runAndReadAll();
      line.rows = reader.getRowObjectsJS();
    }
    line.seconds = (performance.now() - began) / 1000;
  } catch (e) {
    line.error = e.message;
    process.exitCode = 1;
  }
  console.log(JSON.stringify(line, plain).replace(/"\\u0000(-?(?:1e999|\d+))"/g, "$1"));
}
