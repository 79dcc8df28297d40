package suite

import (
	"schedgap/bench"
	"schedgap/models"
	"schedgap/models/schema"
)

// Schema describes suite files as JSON Schema; the parameters of generators and derivations are those of the problems. It wants
// numbers as numbers, where Parse also reads texts that look like them.
func Schema(problems []*bench.Problem) ([]byte, error) {
	scalar := schema.OneOf(schema.Number(), schema.Text(), schema.Bool())
	count := schema.Need("n", "how many, or at most how many", schema.Integer().AtLeast(1).AtMost(MaxInstances))
	seed := schema.May("seed", "", schema.Integer().AtLeast(0).Or(DefaultSeed))
	duration := func() *schema.Schema { return schema.Text() }
	params := schema.May("params", "", schema.Map(scalar))
	source := schema.Object(
		schema.May("generate", "random instances", schema.Object(count, seed, params)),
		schema.May("trace", "instances derived from a cluster trace", schema.Object(
			schema.Need("format", "google2011, google2019, csv, alibaba or swim", schema.Text()),
			schema.Need("dir", "the trace's folder, relative to the suite's; variables are replaced", schema.Text()),
			schema.May("window", "start and end in the trace's own time, such as [600s, 4200s]", schema.Tuple(duration(), duration())),
			count, seed, params,
		)),
		schema.May("files", "a pattern of instance files, relative to the suite's folder", schema.Text()),
	)
	source.MinProperties, source.MaxProperties = 1, 1
	names := make([]string, len(problems))
	for i, p := range problems {
		names[i] = p.Name
	}
	s := schema.Object(
		schema.Need("name", "", schema.ID()),
		schema.Need("problem", "", schema.Word(names...)),
		schema.May("purpose", "what the suite is for, one line", schema.Text()),
		schema.May("figure", "of the paper that it is about", schema.Text()),
		schema.May("typical", "how long it usually takes, such as 10m", duration()),
		schema.Need("instances", "", schema.Some(source)),
		schema.Need("algorithms", "", schema.Some(schema.OneOf(schema.Text(), schema.Object(
			schema.Need("name", "of an algorithm, with its argument after a colon; of a command any name", schema.Text()),
			params,
			schema.May("command", "an external algorithm", schema.Some(schema.Text())),
			schema.May("solver", "in place of the suite's solvers", schema.Text()),
			schema.May("model", "of an exact algorithm", schema.Text()),
		)))),
		schema.May("solvers", "for exact algorithms with MILP models, with a question mark: where it is installed; default: each chooses", schema.Some(schema.Text())),
		schema.May("seeds", "for algorithms that are random", schema.Some(schema.Integer().AtLeast(0)).Or([]int{DefaultSeed})),
		schema.May("limits", "of a unit", schema.Object(
			schema.May("time", "wall time, such as 60s", duration().Or(DefaultTime.String())),
			schema.May("memory", "resident memory, such as 4GiB; default: none", schema.OneOf(schema.Text(), schema.Number().AtLeast(1<<20))),
			schema.May("cpu", "processor time, such as 60s; default: none", duration()),
			schema.May("threads", "", schema.Integer().AtLeast(1).AtMost(MaxThreads).Or(DefaultThreads)),
		)),
		schema.May("proofs", "of what exact algorithms find are made, kept and checked", schema.Bool().Or(false)),
		schema.May("env", "variables that commands see besides the few that they always do", schema.Some(schema.Text())),
		schema.May("watch", "patterns of files that commands depend on, relative to the suite's folder", schema.Some(schema.Text())),
		schema.May("pin_cpus", "every worker keeps to processors of its own", schema.Bool().Or(false)),
	)
	for _, p := range problems {
		s.AllOf = append(s.AllOf, &schema.Schema{
			If:   &schema.Schema{Properties: schema.Fields{schema.May("problem", "", &schema.Schema{Const: p.Name})}},
			Then: sourceParams(p),
		})
	}
	return s.File("suite", "what schedgap run works through")
}

// sourceParams says which parameters the sources of a problem's instances have.
func sourceParams(p *bench.Problem) *schema.Schema {
	var sources schema.Fields
	add := func(kind string, s *bench.Source) {
		if s == nil {
			return
		}
		fields := make([]schema.Field, len(s.Params))
		for i, q := range s.Params {
			fields[i] = schema.May(q.Name, q.Doc, paramSchema(q))
		}
		sources = append(sources, schema.May(kind, "", &schema.Schema{
			Properties: schema.Fields{schema.May("params", "", schema.Object(fields...))},
		}))
	}
	add("generate", p.Generator)
	add("trace", p.Deriver)
	return &schema.Schema{Properties: schema.Fields{
		schema.May("instances", "", &schema.Schema{Items: &schema.Schema{Properties: sources}}),
	}}
}

func paramSchema(p models.Param) *schema.Schema {
	bounded := func(s *schema.Schema) *schema.Schema {
		s.AtLeast(p.Min)
		if p.Max != 0 || p.Min < 0 {
			s.AtMost(p.Max)
		}
		return s.Or(p.Default)
	}
	switch p.Default.(type) {
	case int:
		return bounded(schema.Integer())
	case float64:
		return bounded(schema.Number())
	case bool:
		return schema.Bool().Or(p.Default)
	}
	if len(p.Choices) > 0 {
		return schema.Word(p.Choices...).Or(p.Default)
	}
	return schema.OneOf(schema.Text(), schema.Number()).Or(p.Default) // a text may look like a number
}
