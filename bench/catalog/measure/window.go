package measure

// windowChecks are those of the paper on speculation.
var windowChecks = map[string]Check{}
