package summary

import (
	"slices"
	"testing"

	"schedgap/bench"
	"schedgap/reports/internal/fake"
	"schedgap/reports/ratio"
)

func headlineOf(t *testing.T, p *bench.Problem, sim []bench.SimRecord, records ...bench.Record) []Headline {
	t.Helper()
	set, err := ratio.New(ratio.Input{Records: ratio.Pack(records), Problems: []*bench.Problem{p}, Instance: fake.Instances{}.Find})
	if err != nil {
		t.Fatal(err)
	}
	return New(set, sim, 1).Headlines
}

// The sentences say what the tables say, in the words of the sense, with limits that hold.
func TestHeadlines(t *testing.T) {
	p, most := fake.Problem(), fake.Maximize()
	failed := fake.Row(p, "a", "flex", bench.Error)
	failed.Error = fake.Ptr("no licence\nat all")
	seconds := func(policy string, value float64) bench.SimRecord {
		return bench.SimRecord{
			Problem: "cloning", Workload: "w", Policy: policy, Scope: "run", Metric: "mean_flowtime", Unit: "s",
			Value: value, Params: `{"r":"1.5"}`,
		}
	}
	for _, test := range []struct {
		want string
		got  []Headline
	}{
		{
			"flex: flex is 0.080 % above the optimum on average, 0.17 % at worst; fair is 40 % above on average, 60 % at worst (2 " +
				"instances, all proven); too few instances for a test: it takes 6.",
			headlineOf(t, p, nil, fake.Optimal(p, "a", "opt", 100), fake.Optimal(p, "b", "opt", 100), fake.Solved(p, "a", "flex", 100.161),
				fake.Solved(p, "b", "flex", 100), fake.Solved(p, "a", "fair", 160), fake.Solved(p, "b", "fair", 122.5)),
		},
		{
			"flex: flex reaches the optimum on 2 instances, all proven; fair is 3.0 times the optimum on average, 4.5 times at worst; " +
				"too few instances for a test: it takes 6.",
			headlineOf(t, p, nil, fake.Optimal(p, "a", "opt", 100), fake.Optimal(p, "b", "opt", 100), fake.Solved(p, "a", "flex", 100),
				fake.Solved(p, "b", "flex", 100), fake.Solved(p, "a", "fair", 450), fake.Solved(p, "b", "fair", 200)),
		},
		{
			"pocd: shed is 20 % below the optimum on average, 20 % at worst (1 of 2 instances, all proven).",
			headlineOf(t, most, nil, fake.Optimal(most, "a", "opt", 10), fake.Optimal(most, "b", "opt", 10),
				fake.Solved(most, "a", "shed", 8)),
		},
		{
			"flex: flex is 14–25 % above the optimum on average, 25 % at worst; fair is 36–50 % above on average, 50 % at worst (1 " +
				"instance, none proven); too few instances for a test: it takes 6.",
			headlineOf(t, p, nil, fake.Bounded(p, "a", "opt", 80, fake.Ptr(88.0)), fake.Solved(p, "a", "flex", 100),
				fake.Solved(p, "a", "fair", 120)),
		},
		{
			"flex: flex is 10 % above the optimum on average, 10 % at worst; fair is ∞ on average (no solution on 1 of 2 instances), ∞ " +
				"at worst (2 instances, all proven); too few instances for a test: it takes 6; fair failed on 1 instance.",
			headlineOf(t, p, nil, fake.Optimal(p, "a", "opt", 100), fake.Optimal(p, "b", "opt", 100), fake.Solved(p, "a", "flex", 110),
				fake.Solved(p, "b", "flex", 110), fake.Solved(p, "a", "fair", 100), fake.Row(p, "b", "fair", bench.Crash)),
		},
		{
			"flex: no solution on 1 instance: of 1 unit 1 failed with an error; most often: no licence.",
			headlineOf(t, p, nil, failed),
		},
		{"flex: opt is proven on 1 of 1 instance; no heuristic was run.", headlineOf(t, p, nil, fake.Optimal(p, "a", "opt", 1))},
		{
			"cloning: 2 policies simulated on 1 workload, 2 repetitions each; mean flowtime from 12 s (srpt) to 40 s (fifo).",
			headlineOf(t, p, []bench.SimRecord{seconds("srpt", 11), seconds("srpt", 13), seconds("fifo", 40), seconds("fifo", 40)}),
		},
	} {
		if i := slices.IndexFunc(test.got, func(h Headline) bool { return h.Text == test.want }); i < 0 {
			t.Errorf("got %q, want %q", test.got, test.want)
		}
	}
}

// Colours belong to algorithms: those of a catalogue keep theirs beside some commands, and 15 are distinct.
func TestStyles(t *testing.T) {
	p := fake.Problem()
	of := func(records ...bench.Record) map[string]int {
		set, err := ratio.New(ratio.Input{Records: ratio.Pack(records), Problems: []*bench.Problem{p}, Instance: fake.Instances{}.Find})
		if err != nil {
			t.Fatal(err)
		}
		out := map[string]int{}
		for v, i := range New(set, nil, 1).Problems[0].Styles {
			out[v.Label] = i
		}
		return out
	}
	one := of(fake.Solved(p, "a", "fair", 2), fake.Optimal(p, "a", "opt", 1))
	records := []bench.Record{fake.Solved(p, "a", "flex", 2), fake.Solved(p, "a", "fair", 2), fake.Optimal(p, "a", "opt", 1)}
	for _, name := range []string{"mine", "yours", "a", "b", "c", "d", "e"} {
		records = append(records, fake.Solved(p, "a", name, 3))
	}
	slow := fake.Solved(p, "b", "fair", 2)
	slow.Params, slow.UnitID = `{"k":"2"}`, "slow"
	many := of(append(records, slow)...)
	if one["fair"] != many["fair"] || one["opt"] != many["opt"] {
		t.Errorf("%v, and with others %v", one, many)
	}
	colours := map[int]string{}
	for label, i := range many {
		if label == "fair (k=2)" {
			if i%Colours != many["fair"] || i == many["fair"] {
				t.Errorf("a variant of fair has style %d, fair %d", i, many["fair"])
			}
			continue
		}
		if other, taken := colours[i%Colours]; taken {
			t.Errorf("%s and %s have one colour", label, other)
		}
		colours[i%Colours] = label
	}
}
