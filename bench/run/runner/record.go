package runner

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"schedgap/bench"
	"schedgap/bench/run/sysinfo"
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
		NJobs: bench.OrNull(int64(in.Size.Jobs)), NTasks: bench.OrNull(int64(in.Size.Tasks)),
		NMachines: bench.OrNull(int64(in.Size.Machines)),

		Params: string(text), Algorithm: request.Algorithm, Kind: res.Kind, Reference: res.Reference,
		Waived: strings.Join(res.Waived, ","), Augmentation: res.Augmentation,

		Model: bench.OrNull(res.Model), Solver: bench.OrNull(res.Solver), SolverVersion: bench.OrNull(res.SolverVersion),
		Status: string(res.Status), RawStatus: bench.OrNull(res.Raw), Sense: in.Problem.Sense.String(),

		Findings: res.Findings, Work: res.Work, StartedAt: started.UTC().Truncate(time.Microsecond), Host: r.info.Host, CPUModel: r.info.CPUModel,
		NCPUs: int64(r.info.CPUs), GoVersion: r.info.GoVersion, BinaryVersion: r.info.BinaryVersion, Error: bench.OrNull(res.Error),
	}
	if len(res.Proof) > 0 {
		rec.ProofSHA256 = new(models.Digest(res.Proof))
	}
	rec.ProofVerified, rec.BuildSHA256, rec.Factors = bench.OrNull(res.Verified), bench.OrNull(sysinfo.BuildSHA256()), bench.OrNull(
		u.Factors)
	rec.Gap = res.Gap(in)
	if rec.Augmentation == 0 {
		rec.Augmentation = 1 // no solution, so nothing was augmented
	}
	if res.Status != bench.Skipped {
		rec.WallSeconds = &res.WallSeconds
	}
	rec.Label, rec.Commit = bench.OrNull(r.options.Label), bench.OrNull(r.options.Commit)
	rec.TimeLimitSeconds, rec.CPULimitSeconds = bench.OrNull(u.Limits.Time.Seconds()), bench.OrNull(u.Limits.CPU.Seconds())
	rec.MemoryLimitBytes = bench.OrNull(u.Limits.Memory)
	return rec, nil
}
