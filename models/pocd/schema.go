package pocd

import "schedgap/models/schema"

// instanceSchema are the fields of an instance file beyond the header.
var instanceSchema = schema.Fields{
	schema.Need("capacity", "machines for tasks, copies and one master a job", schema.Integer().AtLeast(0)),
	schema.Need("alpha", "fairness α", schema.OneOf(schema.Number().AtLeast(0).AtMost(MaxAlpha), schema.Word(infinite))),
	schema.Need("max_copies", "most extra copies of a task", schema.Integer().AtLeast(0)),
	schema.Need("jobs", "", schema.Some(schema.Object(
		schema.Need("id", "", schema.ID()),
		schema.Need("deadline", "D_j", schema.Number().AtLeast(0)),
		schema.Need("elapsed", "τ_j", schema.Number().AtLeast(0)),
		schema.Need("tasks", "the unfinished tasks", schema.Some(schema.Object(
			schema.Need("id", "", schema.ID()),
			schema.Need("progress", "φ_i, the largest of the task's attempts", schema.Number().AtLeast(0).Below(1)),
			schema.Need("t_min", "least duration of an attempt", schema.Number().Above(0)),
			schema.Need("beta", "β_i, shape of the Pareto distribution of durations", schema.Number().Above(0)),
			schema.Need("straggler", "whether the task may get copies", schema.Bool()),
		))),
	))),
}

// solutionSchema are the fields of a solution file beyond the envelope.
var solutionSchema = schema.Fields{
	schema.Need("copies", "r_i, extra copies by job and task; 0 where not named", schema.Map(schema.Map(schema.Integer()))),
}
