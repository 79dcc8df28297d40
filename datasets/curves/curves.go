// Package curves holds the worst ratios found of online rules against augmentation and size, with their instances. scripts/worst-curves
// makes the folders, and `schedgap worst --recheck FOLDER` proves all of one again.
package curves

import "embed"

// Files are the folders PROBLEM-ALGORITHM-AXIS.
//
//go:embed */*.json
var Files embed.FS
