// Package papers holds what the papers print, the runs that measure it again, and the stored measurements.
package papers

import "embed"

// Files are papers.yaml, an entry in each other .yaml, and a .csv of measurements for each paper.
//
//go:embed *.yaml *.csv
var Files embed.FS
