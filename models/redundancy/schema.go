package redundancy

import "schedgap/models/schema"

// instanceSchema are the fields of an instance file beyond the header.
var instanceSchema = schema.Fields{
	schema.Need("machines", "M", schema.Integer().AtLeast(1)),
	schema.Need("multitasking", "whether machines may be shared", schema.Bool()),
	schema.Need("speed", "of the machines for algorithms; the optimum has 1", schema.Number().Above(0)),
	schema.Need("speedup", "h(1), …, h(M)", schema.Some(schema.Number().AtLeast(1))),
	schema.Need("jobs", "", schema.Some(schema.Object(
		schema.Need("id", "", schema.ID()),
		schema.Need("arrival", "a_j", schema.Number().AtLeast(0).AtMost(maxTime)),
		schema.Need("work", "W_j, time on one machine of speed 1", schema.Number().Above(0)),
	))),
}

// solutionSchema are the fields of a solution file beyond the envelope.
var solutionSchema = schema.Fields{
	schema.May("speed", "1 or the instance's", schema.Number().Above(0).Or(1)),
	schema.Need("intervals", "one after the other from 0 on", schema.List(schema.Object(
		schema.Need("start", "", schema.Number()),
		schema.Need("end", "", schema.Number()),
		schema.Need("alloc", "by job; a job that is not named holds nothing", schema.Map(schema.Object(
			schema.Need("copies", "r_j", schema.Integer()),
			schema.Need("share", "x_j", schema.Number()),
		))),
	))),
}
