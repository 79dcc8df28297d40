// Package papers embeds the numbers that the papers print, the runs that measure them again, and the stored measurements.
// Package reports/papers reads and compares them.
package papers

import "embed"

// Files are papers.yaml, an entry in each other .yaml, and a .csv of measurements for each paper.
//
//go:embed *.yaml *.csv
var Files embed.FS
