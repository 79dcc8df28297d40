package highs
import ("testing";"schedgap/exact/milp/milptest")
func TestTmp(t *testing.T){ milptest.Count(t, Solver{}, 20000) }
