package verify

import (
	"fmt"
	"math"

	"schedgap/models"
	"schedgap/models/proof"
)

// refused says why a proof proves less than it claims.
func refused(format string, args ...any) error { return fmt.Errorf(format, args...) }

// header checks what a proof says of itself against the instance that it is held against.
func header(q proof.Header, problem, reference string, h models.Header, sha256 string) error {
	switch {
	case q.Problem != problem:
		return refused("the proof is of the problem %q, the instance of %s", q.Problem, problem)
	case q.SHA256 != sha256:
		return refused("the proof is of another instance: its hash is %s, the instance's %s", q.SHA256, sha256)
	case q.Instance != h.Name:
		return refused("the proof is of the instance %q, this is %s", q.Instance, h.Name)
	case q.Reference != reference:
		return refused("the proof is of the reference %q, not of %s", q.Reference, reference)
	case q.Kind != proof.Prices:
		return refused("proofs of the kind %q are not known", q.Kind)
	case q.Bound == nil:
		return refused("the proof claims no bound")
	case q.Value != nil:
		return refused("prices prove a bound and no value")
	case math.IsNaN(*q.Bound) || math.IsInf(*q.Bound, 0):
		return refused("the bound is no number")
	}
	return nil
}
