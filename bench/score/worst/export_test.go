package worst

// Thorough is o with heuristics before each proof, and no bound in place of one.
func Thorough(o Options) Options {
	o.thorough = true
	return o
}
