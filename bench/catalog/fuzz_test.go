package catalog

import (
	"bytes"
	"strings"
	"testing"

	"schedgap/bench"
	"schedgap/models"
)

// oneSentence reports whether an error is one line that begins with the file's name.
func oneSentence(err error) bool {
	return strings.HasPrefix(err.Error(), "f.json") && !strings.ContainsAny(err.Error(), "\n\r")
}

// FuzzInstances: for every problem, any text is an instance, which is written as it is read, or one sentence about the file.
func FuzzInstances(f *testing.F) {
	r, err := New()
	if err != nil {
		f.Fatal(err)
	}
	for _, p := range r.Problems {
		examples, err := p.Examples()
		if err != nil {
			f.Fatal(err)
		}
		for _, in := range examples {
			f.Add(in.JSON)
		}
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		in, err := r.ParseInstance("f.json", data)
		if err != nil {
			if !oneSentence(err) {
				t.Errorf("not one sentence about the file: %q", err)
			}
			return
		}
		again, err := r.ParseInstance("f.json", in.JSON)
		if err != nil || !bytes.Equal(again.JSON, in.JSON) {
			t.Errorf("%s\nis read back as\n%v %v", in.JSON, again, err)
		}
	})
}

// FuzzSolutions: for every problem's examples, any text is a solution that the checker has an opinion on, or one sentence.
func FuzzSolutions(f *testing.F) {
	r, err := New()
	if err != nil {
		f.Fatal(err)
	}
	const examples = 4 // of each problem, so that one text is soon done
	for i, p := range r.Problems {
		list, err := p.Examples()
		if err != nil {
			f.Fatal(err)
		}
		for _, in := range list[:examples] {
			for a := range p.Algorithms {
				if p.Algorithms[a].Kind == models.Heuristic && p.Algorithms[a].Arg == "" {
					if res := solve(p, in, requestOf(p.Algorithms[a].Name)); len(res.Solution) > 0 {
						f.Add(i, []byte(res.Solution))
						break
					}
				}
			}
		}
	}
	f.Fuzz(func(t *testing.T, problem int, data []byte) {
		if problem < 0 || problem >= len(r.Problems) {
			return
		}
		p := r.Problems[problem]
		list, err := p.Examples()
		if err != nil {
			t.Fatal(err)
		}
		for _, in := range list[:examples] {
			if _, err := in.Check("f.json", data); err != nil && !oneSentence(err) {
				t.Errorf("not one sentence about the file: %q", err)
			}
			_, _ = in.Chart("f.json", data) // a solution that the checker refuses is drawn, too, or not at all
		}
	})
}

// FuzzWorkloads: for every simulator, any text is a workload, which is written as it is read, or one sentence about the file.
func FuzzWorkloads(f *testing.F) {
	r, err := New()
	if err != nil {
		f.Fatal(err)
	}
	for _, text := range []string{
		`{"job":"a","arrival":0,"map":{"tasks":2,"mean":1,"cv":0}}`,
		`{"job":"a","arrival":0,"deadline":9,"tasks":2,"t_min":1,"beta":1.5}`,
		`{"cluster":[{"servers":2,"cpu":1,"mem":1}]}` + "\n" +
			`{"job":"a","arrival":0,"weight":1,"phases":[{"tasks":1,"cpu":1,"mem":1,"mean":1,"sd":0}]}`,
		`{"job":"a","arrival":0,"work":2}`,
		`{"job":"a","arrival":0,"tasks":[1,2],"input":0}`,
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, p := range r.Problems {
			w, err := p.Simulator.ReadWorkload("f.json", bytes.NewReader(data))
			if err != nil {
				if !oneSentence(err) {
					t.Errorf("not one sentence about the file: %q", err)
				}
				continue
			}
			var first, second bytes.Buffer
			if err := p.Simulator.Encode(&first, w); err != nil {
				t.Fatalf("%s: a workload that was read cannot be written: %v", p.Name, err)
			}
			again, err := p.Simulator.ReadWorkload("f.json", bytes.NewReader(first.Bytes()))
			if err != nil {
				t.Fatalf("%s: %s\nis not read back: %v", p.Name, first.Bytes(), err)
			}
			if err := p.Simulator.Encode(&second, again); err != nil || !bytes.Equal(first.Bytes(), second.Bytes()) {
				t.Errorf("%s: %s\nis read back as\n%s (%v)", p.Name, first.Bytes(), second.Bytes(), err)
			}
		}
	})
}

func requestOf(algorithm string) bench.Request {
	return bench.Request{Algorithm: algorithm, Seed: 1, Threads: 1}
}
