package runner

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"schedgap/bench"
	"schedgap/bench/sysinfo"
	"schedgap/models"
)

// record is the row of a result.
func (r *run) record(u planned, res *bench.Result, started time.Time) (bench.Record, error) {
	in, request := u.Instance, u.Request
	params := request.Params
	if len(request.Command) > 0 {
		params = map[string]any{"command": request.Command}
	}
	if params == nil {
		params = map[string]any{}
	}
	text, err := json.Marshal(params)
	if err != nil {
		return bench.Record{}, fmt.Errorf("unit %s on %s: %w", request.Algorithm, in.Name, err)
	}
	rec := bench.Record{
		RunID: r.id, UnitID: u.id, Suite: u.Suite,

		Problem: in.Problem.Name, Instance: in.Name, InstanceSHA256: in.SHA256, Source: u.Source, Seed: int64(request.Seed),
		NJobs: count(in.Size.Jobs), NTasks: count(in.Size.Tasks), NMachines: count(in.Size.Machines),

		Params: string(text), Algorithm: request.Algorithm, Kind: res.Kind, Reference: res.Reference,
		Waived: strings.Join(res.Waived, ","), Augmentation: res.Augmentation,

		Model: word(res.Model), Solver: word(res.Solver), SolverVersion: word(res.SolverVersion),
		Status: string(res.Status), RawStatus: word(res.Raw), Sense: in.Problem.Sense.String(),

		Objective: res.Objective, ObjectiveClaimed: res.Claimed, Bound: res.Bound, Gap: res.Gap(),
		Feasible: res.Feasible, MaxViolation: res.MaxViolation, WorstConstraint: word(res.WorstConstraint),

		Work: res.Work, StartedAt: started.UTC().Truncate(time.Microsecond), Host: r.info.Host, CPUModel: r.info.CPUModel,
		NCPUs: int64(r.info.CPUs), GoVersion: r.info.GoVersion, BinaryVersion: r.info.BinaryVersion, Error: word(res.Error),
	}
	if len(res.Proof) > 0 {
		digest := models.Digest(res.Proof)
		rec.ProofSHA256 = &digest
	}
	rec.ProofVerified, rec.BuildSHA256, rec.Factors = word(res.Verified), word(sysinfo.BuildSHA256()), word(u.Factors)
	if rec.Augmentation == 0 {
		rec.Augmentation = 1 // no solution, so nothing was augmented
	}
	if res.Status != bench.Skipped {
		rec.WallSeconds = &res.WallSeconds
	}
	if t := u.Limits.Time; t > 0 {
		seconds := t.Seconds()
		rec.TimeLimitSeconds = &seconds
	}
	if m := u.Limits.Memory; m > 0 {
		rec.MemoryLimitBytes = &m
	}
	return rec, nil
}

// count is null where the problem has no such parts.
func count(n int) *int64 {
	if n == 0 {
		return nil
	}
	v := int64(n)
	return &v
}

// word is null where there is nothing to say.
func word(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}
