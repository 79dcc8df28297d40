// Package public turns public benchmark files into instances. The files are not part of this repository: a Source says where a
// user gets them, holds them to a hash, and gives the instances with the optima published for them. `schedgap library get`
// calls it.
package public

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// A Source is a public benchmark.
type Source struct {
	Name       string   // such as public-wt40
	Problem    string   // of the instances
	Doc        string   // what is stated, one line
	Site       string   // the page on which the files are published
	Files      []File   // in the order that build takes them
	Algorithms []string // to run on the instances, the exact one first

	build func(files [][]int) []Instance
}

// A File of a source is known by its hash.
type File struct{ Name, SHA256 string }

// An Instance is in the format of its problem, without version and problem.
type Instance struct {
	Name      string
	Fields    map[string]any
	Published *float64 // the published optimum, in the problem's own objective; nil: none is published
}

// Sources lists the benchmarks by name.
func Sources() []Source { return []Source{assign100, pwc40, stg50, wt40} }

// ErrAbsent reports that files of a source have to be fetched first.
var ErrAbsent = errors.New("not there yet")

// absent names all files of a source that are missing in a folder, with their page and hashes.
func (s Source) absent(dir string) error {
	var missing []string
	for _, f := range s.Files {
		if _, err := os.Stat(filepath.Join(dir, f.Name)); errors.Is(err, fs.ErrNotExist) {
			missing = append(missing, fmt.Sprintf("%s (SHA-256 %s)", f.Name, f.SHA256))
		}
	}
	if missing == nil {
		return nil
	}
	do := "put them into " + dir
	if _, err := os.Stat(dir); errors.Is(err, fs.ErrNotExist) {
		do = "make the folder (mkdir -p '" + strings.ReplaceAll(dir, "'", `'\''`) + "'), put them there"
	}
	return fmt.Errorf("%s: files are %w: %s; get them from %s, %s and call this again", dir, ErrAbsent, strings.Join(missing, ", "), s.Site, do)
}

// Instances reads the files of a source from a folder. The error says which files are missing, with their page and hashes, and
// wraps ErrAbsent; or that a file is not the published one.
func (s Source) Instances(dir string) ([]Instance, error) {
	if err := s.absent(dir); err != nil {
		return nil, err
	}
	files := make([][]int, len(s.Files))
	for i, f := range s.Files {
		name := filepath.Join(dir, f.Name)
		data, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		if sum := sha256.Sum256(data); hex.EncodeToString(sum[:]) != f.SHA256 {
			return nil, fmt.Errorf("%s: the file has the SHA-256 %x; the one published on %s has %s", name, sum, s.Site, f.SHA256)
		}
		files[i], err = numbers(data)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
	}
	list := s.build(files)
	for _, in := range list {
		lineage := map[string]any{"source": s.Name}
		if in.Published != nil {
			lineage["published"] = map[string]any{"value": *in.Published, "reference": s.Algorithms[0], "source": s.Site}
		}
		in.Fields["problem"], in.Fields["version"], in.Fields["name"], in.Fields["lineage"] = s.Problem, 1, in.Name, lineage
	}
	return list, nil
}

// numbers are the whole numbers of a file, without lines that begin with #.
func numbers(data []byte) (list []int, err error) {
	for i, line := range strings.Split(string(data), "\n") {
		if strings.HasPrefix(line, "#") {
			continue
		}
		for _, word := range strings.Fields(line) {
			n, err := strconv.Atoi(word)
			if err != nil {
				return nil, fmt.Errorf("line %d: %q is not a whole number", i+1, word)
			}
			list = append(list, n)
		}
	}
	return list, nil
}

// JSON is the instance's file, not in canonical form.
func (in Instance) JSON() ([]byte, error) { return json.Marshal(in.Fields) }

const orLibrary = "http://people.brunel.ac.uk/~mastjjb/jeb/orlib/"

var wtFile = File{"wt40.txt", "5dd427983a38dc76a0ce585e66c33d682010d3ec19c498a917cb7583544c8128"}

var flexRules = []string{"lb", "lb-price", "best", "flex", "fair", "fifo-min", "spt", "wspt", "edd"}

// 1 || Σ w·T is flex with one slot, jobs of at most one slot and weighted tardiness: neither preemption nor sharing helps there
// (docs/problems/flex.md).
var wt40 = Source{
	Name: "public-wt40", Problem: "flex", Site: orLibrary + "wtinfo.html",
	Doc:        "one machine, total weighted tardiness: OR-Library's 125 instances of 40 jobs",
	Files:      []File{wtFile, {"wtopt40.txt", "666da14a606fc9c1efaff15f60632d815ae3cfc1a149a1e8428e75c003e6e8bf"}},
	Algorithms: append([]string{"opt"}, flexRules...),
	build: func(files [][]int) []Instance {
		return wt(files[0], 125, 1, "tardiness", "wt40-%d", func(i int) *float64 { v := float64(files[1][i]); return &v })
	},
}

// P2 || Σ w·C is flex with two slots: preemption does not help (McNaughton 1959), and a job has at most one slot.
var pwc40 = Source{
	Name: "public-pwc40", Problem: "flex", Site: orLibrary + "wtinfo.html",
	Doc:        "two machines, total weighted completion time: the works and weights of OR-Library's wt40; no optima are published",
	Files:      []File{wtFile},
	Algorithms: append([]string{"opt"}, flexRules...),
	build: func(files [][]int) []Instance {
		return wt(files[0], 125, 2, "response", "pwc40-%d", func(int) *float64 { return nil })
	},
}

// wt reads n instances of 40 jobs, each 40 works, 40 weights and 40 due dates.
func wt(x []int, n, slots int, metric, name string, published func(i int) *float64) []Instance {
	const jobs = 40
	list := make([]Instance, n)
	for i := range list {
		block := x[3*jobs*i:]
		rows := make([]map[string]any, jobs)
		for k := range rows {
			rows[k] = map[string]any{
				"id": "j" + strconv.Itoa(k+1), "work": block[k], "min": 0, "max": 1, "weight": block[jobs+k], "deadline": block[2*jobs+k],
			}
		}
		list[i] = Instance{fmt.Sprintf(name, i+1), map[string]any{
			"slots": slots, "objective": map[string]any{"metric": metric, "aggregate": "sum", "weighted": true}, "jobs": rows,
		}, published(i)}
	}
	return list
}

// The assignment problem is speculation with all stragglers finishing at the same late time: a pair saves that time less its
// cost, so a best matching is a cheapest perfect one.
var assign100 = Source{
	Name: "public-assign100", Problem: "speculation", Site: orLibrary + "assigninfo.html",
	Doc:        "assignment of 100 stragglers to 100 slots: OR-Library's assign100",
	Files:      []File{{"assign100.txt", "90c9c7cd7c8845ff2cb86a2372b0819d0d3e8071114cb1ca00f4979cc0412449"}},
	Algorithms: []string{"opt", "window", "hete-aware", "greedy-scalar", "default"},
	build: func(files [][]int) []Instance {
		const late, cheapest = 1000, 305
		n, x := files[0][0], files[0][1:]
		var stragglers, slots []map[string]any
		times := map[string]map[string]int{}
		for i := range n {
			s := "s" + strconv.Itoa(i+1)
			stragglers = append(stragglers, map[string]any{"id": s, "finish": late, "power": 1, "progress": 0.5, "duration": 1})
			slots = append(slots, map[string]any{"id": "v" + strconv.Itoa(i+1), "start": 0, "power": 0})
			times[s] = map[string]int{}
			for k := range n {
				times[s]["v"+strconv.Itoa(k+1)] = x[n*i+k]
			}
		}
		published := float64(late*n - cheapest)
		return []Instance{{"assign100-1", map[string]any{
			"energy_weight": 0, "stragglers": stragglers, "slots": slots, "copy_time": times,
		}, &published}}
	},
}

// P | prec | Cmax is cloning with one job, one copy a task, and one resource with a unit for each processor.
var stg50 = Source{
	Name: "public-stg50", Problem: "cloning", Site: "http://www.kasahara.cs.waseda.ac.jp/schedule/",
	Doc: "makespan of a graph of 50 tasks on 2, 4 and 8 processors: the first six random graphs of the Standard Task Graph Set",
	Files: []File{
		{"rand0000.stg", "cb3f3bb3b1fad72ae6c1ef3ac2aba64105feb8361413a794ed7726cc4e8b15ac"},
		{"rand0001.stg", "e00589d7277b80d8b656aded757db7a21a100bca36a1f3efc5c17aa8758d2f6a"},
		{"rand0002.stg", "f9beccc503644aa624346775c3224662208f316c69c30a06690b5991080a48e2"},
		{"rand0003.stg", "085f6eddd1a8313ba1190fb2161651f9859cba81e77ed3c079cb24ba75953d61"},
		{"rand0004.stg", "f5e78c3633e324ea314b29d01534118be4c25e24369a933a899d35d0590c8f1f"},
		{"rand0005.stg", "565b2122d73ef93dae8c302a8e8d8c84e091712cc3b1c9927fa13192df379837"},
	},
	Algorithms: []string{
		"opt-nonpreemptive", "lb-path", "lb-price", "best-nonpreemptive", "dollymp0", "graphene", "tetris", "drf", "capacity", "carbyne", "srpt",
		"svf", "fifo",
	},
	build: func(files [][]int) (list []Instance) {
		// From the set's page of optimal schedules, nonpreemptive.
		published := [][]float64{{131, 66, 55}, {149, 94, 89}, {121, 71, 71}, {145, 73, 52}, {116, 71, 71}, {314, 170, 170}}
		for g, x := range files {
			for i, processors := range []int{2, 4, 8} {
				list = append(list, Instance{fmt.Sprintf("stg50-%d-m%d", g, processors), map[string]any{
					"resources": []string{"cpu"}, "max_copies": 1, "max_copies_per_server": 1,
					"servers": []map[string]any{{"id": "s1", "cpu": processors}},
					"jobs":    []map[string]any{{"id": "J", "arrival": 0, "phases": phases(x)}},
				}, &published[g][i]})
			}
		}
		return list
	},
}

// phases are the tasks of a graph that take time, each a phase of one task. A task without a length gives its parents on.
func phases(x []int) []map[string]any {
	n := x[0] + 2 // with the first and the last, which take no time
	length, parents := make([]int, n), make([][]int, n)
	for x = x[1:]; len(x) > 0; x = x[3+x[2]:] {
		length[x[0]], parents[x[0]] = x[1], x[3:3+x[2]]
	}
	var real func(task int) map[string]bool
	real = func(task int) map[string]bool {
		ids := map[string]bool{}
		for _, p := range parents[task] {
			if length[p] > 0 {
				ids[strconv.Itoa(p)] = true
				continue
			}
			for id := range real(p) {
				ids[id] = true
			}
		}
		return ids
	}
	var list []map[string]any
	for task, slots := range length {
		if slots == 0 {
			continue
		}
		ids := []string{}
		for p := range n {
			if id := strconv.Itoa(p); real(task)[id] {
				ids = append(ids, id)
			}
		}
		list = append(list, map[string]any{
			"id": strconv.Itoa(task), "parents": ids, "tasks": 1, "cpu": 1, "mean": slots, "sd": 0,
		})
	}
	return list
}
