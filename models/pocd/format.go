package pocd

import (
	"encoding/json"
	"math"
	"strconv"

	"schedgap/models"
	"schedgap/models/strict"
)

// instanceFields are an instance file's keys beyond the header.
type instanceFields struct {
	Capacity  int        `json:"capacity" is:">=0" doc:"machines for tasks, copies and one master a job"`
	Alpha     alphaField `json:"alpha" doc:"fairness α"`
	MaxCopies int        `json:"max_copies" is:">=0" doc:"most extra copies of a task"`
	Jobs      []Job      `json:"jobs" is:"some"`
}

func encodeInstance(in *Instance) any {
	return instanceFields{in.Capacity, alphaField(in.Alpha), in.MaxCopies, in.Jobs}
}

// An alphaField is α in a file: a number, or a word for ∞.
type alphaField float64

// MarshalJSON implements json.Marshaler.
func (a alphaField) MarshalJSON() ([]byte, error) {
	if math.IsInf(float64(a), 1) {
		return json.Marshal(infinite)
	}
	return json.Marshal(float64(a))
}

// ReadValue implements strict.Reader.
func (a *alphaField) ReadValue(v *strict.Value) error {
	text, err := v.Text()
	if err != nil {
		text = v.String() // a number's literal, or what no number looks like
	}
	alpha, ok := ParseAlpha(text)
	if !ok || err == nil && text != infinite {
		return v.Errorf("%s must be a number from 0 to %d or %q", v, MaxAlpha, infinite)
	}
	*a = alphaField(alpha)
	return nil
}

// FormSchema implements strict.Described.
func (*alphaField) FormSchema() strict.Schema {
	return strict.OneOf(strict.Schema{"type": "number", "minimum": 0, "maximum": MaxAlpha}, strict.Words(infinite))
}

// infinite is how α = ∞ is written.
const infinite = "inf"

func alphaText(alpha float64) string {
	if math.IsInf(alpha, 1) {
		return infinite
	}
	return strconv.FormatFloat(alpha, 'g', -1, 64)
}

// ParseAlpha reads α as parameters give it: a number from 0 to MaxAlpha, or inf.
func ParseAlpha(text string) (float64, bool) {
	if text == infinite {
		return math.Inf(1), true
	}
	alpha, err := strconv.ParseFloat(text, 64)
	return alpha, err == nil && alpha >= 0 && alpha <= MaxAlpha
}

func decodeInstance(f *strict.File, h models.Header) *Instance {
	var file instanceFields
	f.Read(&file)
	in := &Instance{Header: h, Capacity: file.Capacity, Alpha: float64(file.Alpha), MaxCopies: file.MaxCopies, Jobs: file.Jobs}
	if base := in.BaseLoad(); base > in.Capacity {
		f.Fail("capacity", "%d is less than the base load %d, one machine for each of %d tasks and %d jobs",
			in.Capacity, base, base-len(in.Jobs), len(in.Jobs))
	}
	return in
}

// solutionFields are a solution file's keys beyond its head.
type solutionFields struct {
	Copies strict.Map[strict.Map[int]] `json:"copies" doc:"r_i, extra copies by job and task; 0 where not named"`
}

// encodeSolution writes the tasks that have extra copies.
func encodeSolution(in *Instance, c Copies) any {
	copies := map[string]map[string]int{}
	for j := range min(len(c), len(in.Jobs)) {
		job := &in.Jobs[j]
		for i := range min(len(c[j]), len(job.Tasks)) {
			if c[j][i] == 0 {
				continue
			}
			if copies[job.ID] == nil {
				copies[job.ID] = map[string]int{}
			}
			copies[job.ID][job.Tasks[i].ID] = c[j][i]
		}
	}
	return map[string]any{"copies": copies}
}

func decodeSolution(f *strict.File, in *Instance) Copies {
	var file solutionFields
	f.Read(&file)
	index := strict.Index(in.Jobs, func(j *Job) string { return j.ID })
	c := NoCopies(in)
	for _, job := range file.Copies {
		j, _ := f.Find(index, job.Key, "a job", "copies", job.Key)
		tasks := strict.Index(in.Jobs[j].Tasks, func(t *Task) string { return t.ID })
		for _, task := range job.Value {
			i, _ := f.Find(tasks, task.Key, "a task of job "+job.Key, "copies", job.Key, task.Key)
			c[j][i] = task.Value
		}
	}
	return c
}
