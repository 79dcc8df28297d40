package measure

// flexChecks are those of the paper on FLEX.
var flexChecks = map[string]Check{}
