package folder

import (
	"errors"
	"testing"
	"time"

	"schedgap/models"
)

// TestHangs: a command that does not answer in its time is the problem's fault, whether it reads the question or not.
func TestHangs(t *testing.T) {
	for _, script := range []string{"sleep 1000", "read line; sleep 1000"} {
		t.Run(script, func(t *testing.T) {
			t.Parallel()
			c := &command{problem: "p", what: "check", words: []string{"sh", "-c", script}, dir: t.TempDir(), time: 300 * time.Millisecond, defined: true}
			_, err := c.ask(t.Context(), []byte("{}"), settings{})
			var fault *models.Fault
			if says := "the problem p: its command check gave no answer within 300ms"; !errors.As(err, &fault) || err.Error() != says {
				t.Errorf("%v, want %q", err, says)
			}
		})
	}
}
