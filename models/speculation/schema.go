package speculation

import "schedgap/models/schema"

// instanceSchema are the fields of an instance file beyond the header.
var instanceSchema = schema.Fields{
	schema.Need("energy_weight", "weight of energy in the scalar objective", schema.Number().AtLeast(0)),
	schema.Need("stragglers", "", schema.Some(schema.Object(
		schema.Need("id", "", schema.ID()),
		schema.Need("finish", "estimated finish", schema.Number().AtLeast(0)),
		schema.Need("power", "of its slot", schema.Number().AtLeast(0)),
		schema.Need("progress", "", schema.Number().Above(0).Below(1)),
		schema.Need("duration", "how long it has run", schema.Number().Above(0)),
	))),
	schema.Need("slots", "that become free", schema.List(schema.Object(
		schema.Need("id", "", schema.ID()),
		schema.Need("start", "when it is free", schema.Number().AtLeast(0)),
		schema.Need("power", "", schema.Number().AtLeast(0)),
	))),
	schema.Need("copy_time", "t_ij by straggler and slot; a pair that is missing is not allowed", schema.Map(schema.Map(schema.Number().Above(0)))),
}

func assign() *schema.Schema { return schema.Map(schema.Text()) }

// solutionSchema are the fields of a solution file beyond the envelope: a matching or a front.
var solutionSchema = schema.Fields{
	schema.May("assign", "slot by straggler", assign()),
	schema.May("front", "in place of assign: points by ascending time", schema.List(schema.Object(
		schema.Need("time", "ΣΔt", schema.Number()),
		schema.Need("energy", "ΣΔE", schema.Number()),
		schema.Need("assign", "slot by straggler", assign()),
	))),
}
