package library

import "embed"

// Files is the library that this program was built with.
//
//go:embed history.jsonl index.csv instances solutions proofs
var Files embed.FS
