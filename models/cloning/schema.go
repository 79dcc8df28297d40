package cloning

import "schedgap/models/schema"

// withResources is an object with these fields and one for each resource.
func withResources(fields ...schema.Field) *schema.Schema {
	o := schema.Object(fields...)
	o.AdditionalProperties = schema.Number().AtLeast(0).AtMost(maxAmount)
	return o
}

// instanceSchema are the fields of an instance file beyond the header.
var instanceSchema = schema.Fields{
	schema.May("resources", "names of the resources; each is a field of every server and phase", schema.Some(schema.ID()).Or(DefaultResources())),
	schema.Need("max_copies", "most copies of a task at once, the first included", schema.Integer().AtLeast(1).AtMost(maxMaxCopies)),
	schema.Need("max_copies_per_server", "most copies of a task on one server", schema.Integer().AtLeast(1)),
	schema.Need("servers", "with their capacity of each resource", schema.Some(withResources(
		schema.Need("id", "", schema.ID()),
	))),
	schema.Need("jobs", "", schema.Some(schema.Object(
		schema.Need("id", "", schema.ID()),
		schema.Need("arrival", "a_j, the slot after which the job may run", schema.Integer().AtLeast(0)),
		schema.Need("phases", "with a task's demand of each resource", schema.Some(withResources(
			schema.Need("id", "", schema.ID()),
			schema.Need("parents", "phases of the job that must be done before", schema.List(schema.ID())),
			schema.Need("tasks", "n_k, number of equal tasks", schema.Integer().AtLeast(1).AtMost(maxTasks)),
			schema.Need("mean", "θ_k, slots that a task takes in one copy on average", schema.Number().Above(0)),
			schema.Need("sd", "σ_k, standard deviation of that", schema.Number().AtLeast(0).AtMost(maxAmount)),
			schema.May("speedup", "h(1), …, h(max_copies); default: that of the Pareto distribution with the mean and deviation",
				schema.List(schema.Number())),
		))),
	))),
}

// solutionSchema are the fields of a solution file beyond the envelope.
var solutionSchema = schema.Fields{
	schema.May("regime", "what is asked of copies that stop", schema.Word(Preemptive, Nonpreemptive)),
	schema.May("capacity_factor", "by which all capacities are multiplied", schema.Number().AtLeast(1).Or(1)),
	schema.Need("copies", "", schema.List(schema.Object(
		schema.Need("task", "job, phase and index from 0", schema.Tuple(schema.Text(), schema.Text(), schema.Integer().AtLeast(0))),
		schema.Need("server", "", schema.Text()),
		schema.Need("start", "the copy runs in the slots start+1, …, end", schema.Integer()),
		schema.Need("end", "", schema.Integer()),
	))),
}
