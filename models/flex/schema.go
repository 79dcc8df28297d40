package flex

import "schedgap/models/schema"

func amount() *schema.Schema { return schema.Number().AtLeast(leastAmount).AtMost(mostAmount) }

// instanceSchema are the fields of an instance file beyond the header.
var instanceSchema = schema.Fields{
	schema.Need("slots", "S, the number of slots", schema.Integer().AtLeast(1)),
	schema.Need("objective", "", schema.Object(
		schema.Need("metric", "penalty of a job's completion time", schema.Word("response", "stretch", "tardy", "tardiness", "lateness", "sla")),
		schema.Need("aggregate", "one objective out of the penalties; tardy and sla have only sum", schema.Word("sum", "max")),
		schema.Need("weighted", "multiply the penalties by the weights; stretch weighs by 1/work", schema.Bool()),
	)),
	schema.Need("jobs", "", schema.Some(schema.Object(
		schema.Need("id", "", schema.ID()),
		schema.Need("work", "W_j, in slot-time units", amount()),
		schema.May("min", "m_j, least slots while unfinished", schema.Integer().AtLeast(0).Or(0)),
		schema.May("max", "M_j, most slots; default: all slots", schema.Integer().AtLeast(1)),
		schema.May("weight", "w_j", amount().Or(1)),
		schema.May("metric", "penalty of this job; default: the objective's", schema.Word("response", "stretch", "tardy", "tardiness", "lateness", "sla")),
		schema.May("deadline", "d_j; required by tardy, tardiness and lateness", schema.Number()),
		schema.May("steps", "required by sla: penalties in force after a time, both ascending", schema.List(schema.Object(
			schema.Need("at", "", schema.Number()),
			schema.Need("penalty", "", schema.Number()),
		))),
	))),
}

// solutionSchema are the fields of a solution file beyond the envelope.
var solutionSchema = schema.Fields{
	schema.Need("intervals", "one after the other from 0 on", schema.List(schema.Object(
		schema.Need("start", "", schema.Number()),
		schema.Need("end", "", schema.Number()),
		schema.Need("slots", "by job; a job that is not named holds none", schema.Map(schema.Number())),
	))),
}
