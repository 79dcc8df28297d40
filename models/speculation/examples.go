package speculation

import "embed"

// examples are small instances, one idea each, that tests of all kinds share.
//
//go:embed examples/*.json
var examples embed.FS
