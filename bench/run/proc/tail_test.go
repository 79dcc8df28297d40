package proc

import (
	"fmt"
	"strings"
	"testing"
)

// A tail is bounded, ends with the last words, and still knows the cause of a crash that long traces follow.
func TestTail(t *testing.T) {
	var tail Tail
	fmt.Fprintln(&tail, "SIGSEGV: segmentation violation")
	for i := range 1000 {
		fmt.Fprintf(&tail, "frame %d\n", i)
	}
	if got := tail.String(); len(got) > shown || !strings.HasSuffix(got, "frame 999") {
		t.Errorf("%d bytes ending in %q", len(got), got[len(got)-20:])
	}
	if got := tail.Cause(); got != "SIGSEGV: segmentation violation" {
		t.Errorf("cause %q", got)
	}
	if got := tail.Because("it died"); !strings.HasPrefix(got, "it died: SIGSEGV: segmentation violation\nstderr: ") {
		t.Errorf("because %q", got)
	}
	for _, n := range []int{kept - 5, 10, kept, 3 * kept, 1} {
		fmt.Fprint(&tail, strings.Repeat("x", n-1)+"y")
		if len(tail.buf) > kept || !strings.HasSuffix(tail.String(), "y") {
			t.Errorf("after %d bytes: %d kept, ending in %q", n, len(tail.buf), tail.String()[len(tail.String())-1:])
		}
	}
	tail.Reset()
	if tail.Because("it ended") != "it ended" {
		t.Errorf("after a reset: %q", tail.Because("it ended"))
	}
}

// What cannot stand in a text column is left out.
func TestTailIsText(t *testing.T) {
	var tail Tail
	fmt.Fprint(&tail, "a\xff\x00b\n")
	if got := tail.String(); got != "ab" {
		t.Errorf("%q", got)
	}
}
