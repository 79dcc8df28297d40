package paper

import (
	"bytes"
	_ "embed"
	"fmt"
	"strings"

	"schedgap/reports/summary"
)

// software is the key of schedgap itself.
const software = "schedgap"

//go:embed sources.bib
var sources string

// source is the paper whose problem and algorithms are measured: BibTeX's key and entry; empty: none.
func source(problem string) (key, entry string) {
	_, entry, _ = strings.Cut("\n"+sources, "\n% "+problem+"\n")
	entry, _, _ = strings.Cut(entry, "\n\n")
	entry = strings.TrimSpace(entry)
	_, key, _ = strings.Cut(entry, "{")
	key, _, _ = strings.Cut(key, ",")
	return key, entry
}

// bibliography has schedgap and the paper of each problem in the report.
func bibliography(r *summary.Report) []byte {
	var b bytes.Buffer
	version := "unknown"
	year := 0
	if p := r.Provenance; p != nil {
		version, year = p.Version, p.GeneratedAt.Year()
	}
	fmt.Fprintf(&b, "@misc{%s,\n  author = {{The schedgap authors}},\n  title  = {schedgap: optimality gaps of cluster-scheduling "+
		"heuristics},\n  note   = {version %s},\n",
		software, Escape(version))
	if year > 0 {
		fmt.Fprintf(&b, "  year   = {%d},\n", year)
	}
	b.WriteString("}\n")
	for _, p := range r.Problems {
		if _, entry := source(p.Name); entry != "" {
			fmt.Fprintf(&b, "\n%s\n", entry)
		}
	}
	return b.Bytes()
}
