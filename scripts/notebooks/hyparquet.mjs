// Reads Parquet files with hyparquet, a reader that shares no code with DuckDB or schedgap, and prints one line of JSON:
//
//     {"version", "types": {column: type}, "rows": […]}
//
// the schema version in the footer, each column's type, and all rows.
import { readFileSync } from "node:fs";
import { parquetMetadata, parquetReadObjects, parquetSchema } from "hyparquet";
import { compressors } from "hyparquet-compressors";

const plain = (_, v) => (typeof v === "bigint" ? Number(v) : v);

let version, types, rows = [];
for (const file of process.argv.slice(2)) {
  const bytes = readFileSync(file);
  const buffer = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength);
  const metadata = parquetMetadata(buffer);
  version = metadata.key_value_metadata.find((kv) => kv.key === "schedgap.schema_version")?.value;
  types = {};
  for (const { element: e } of parquetSchema(metadata).children) {
    types[e.name] = [e.type, e.converted_type, e.repetition_type].filter(Boolean).join(" ");
  }
  rows = rows.concat(await parquetReadObjects({ file: buffer, compressors }));
}
console.log(JSON.stringify({ version, types, rows }, plain));
