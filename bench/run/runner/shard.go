package runner

import (
	"fmt"
	"strconv"
	"strings"
)

// A Shard is a part of a plan that one run takes on; the zero value is all of it. Every unit belongs to exactly one of the
// shards 0 … Of−1, whatever else is in the plan.
type Shard struct{ Index, Of int }

// ParseShard reads I/N with 0 ≤ I < N.
func ParseShard(text string) (Shard, error) {
	index, of, ok := strings.Cut(text, "/")
	i, err1 := strconv.Atoi(index)
	n, err2 := strconv.Atoi(of)
	if !ok || err1 != nil || err2 != nil || i < 0 || i >= n {
		return Shard{}, fmt.Errorf("shard %q must be I/N with 0 <= I < N, such as 0/4", text)
	}
	return Shard{i, n}, nil
}

// Has reports whether a unit belongs to the shard.
func (s Shard) Has(unitID string) bool {
	if s.Of < 2 {
		return true
	}
	hash, err := strconv.ParseUint(unitID[:min(16, len(unitID))], 16, 64)
	return err == nil && hash%uint64(s.Of) == uint64(s.Index)
}

// name is the name of the shard's files.
func (s Shard) name() string { return fmt.Sprintf("%04d", s.Index) }
