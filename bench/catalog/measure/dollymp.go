package measure

// dollympChecks are those of the paper on DollyMP.
var dollympChecks = map[string]Check{}
