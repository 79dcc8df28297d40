package measure

// redundancyChecks are those of the paper on redundancy.
var redundancyChecks = map[string]Check{}
