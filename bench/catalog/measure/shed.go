package measure

// shedChecks are those of the paper on Shed+.
var shedChecks = map[string]Check{}
