package trials

import (
	"strings"
	"testing"
)

func TestRead(t *testing.T) {
	for _, test := range []struct {
		trials, seed string
		of100        int
		fresh        bool
		want         string
	}{
		{"", "", 25, false, ""},
		{"1", "", 100, true, ""},
		{"10", "", 1000, true, ""},
		{"0.001", "", 1, true, ""},
		{"", "7", 25, true, ""},
		{"0", "", 0, false, `SCHEDGAP_TRIALS: "0" is not a number above 0`},
		{"NaN", "", 0, false, `SCHEDGAP_TRIALS: "NaN" is not`},
		{"all", "", 0, false, `SCHEDGAP_TRIALS: "all" is not`},
		{"1", "-1", 0, false, `SCHEDGAP_SEED: "-1" is not`},
	} {
		env := map[string]string{"SCHEDGAP_TRIALS": test.trials, "SCHEDGAP_SEED": test.seed}
		s, err := read(func(name string) (string, bool) { v, ok := env[name]; return v, ok })
		if test.want != "" {
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("%v: error %v", env, err)
			}
			continue
		}
		if err != nil || s.times(100) != test.of100 || (s.seed != 0) != test.fresh {
			t.Errorf("%v: %+v, %v", env, s, err)
		}
	}
}
