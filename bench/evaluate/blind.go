package evaluate

import (
	"bytes"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"maps"
	"math/rand/v2"
	"slices"

	"schedgap/bench"
)

// A blind is an instance as the command sees it: under another name, its parts under other ids and in another order, without a
// lineage.
type blind struct {
	instance *bench.Instance
	ids      map[string]string // by the id that the command sees
}

// blinded makes one, by the seed and the instance without its name.
func blinded(in *bench.Instance, name string, seed uint64) (*blind, error) {
	tree, err := decode(in.JSON)
	if err != nil {
		return nil, fmt.Errorf("instance %s: %w", in.Name, err)
	}
	root, _ := tree.(map[string]any) // an instance file is an object
	delete(root, "lineage")
	delete(root, "name")
	sum := fnv.New64a()
	_ = json.NewEncoder(sum).Encode(root) // it was decoded, and a hash takes all
	s := shuffle{rng: rand.New(rand.NewPCG(seed, sum.Sum64())), ids: map[string]string{}}
	root["name"] = name
	s.collect(root)
	b := &blind{ids: map[string]string{}}
	for i, id := range s.rng.Perm(len(s.found)) {
		s.ids[s.found[id]] = fmt.Sprintf("q%d", i+1)
		b.ids[fmt.Sprintf("q%d", i+1)] = s.found[id]
	}
	file, err := json.Marshal(s.rename(root, ""))
	if err == nil {
		b.instance, err = in.Problem.ParseInstance(name, file)
	}
	if err != nil {
		return nil, fmt.Errorf("instance %s under other names: %w", in.Name, err)
	}
	return b, nil
}

// back is a solution file of the command, which the checker has read for b's instance, under the names of the instance that b was
// made of.
func (b *blind) back(solution []byte, name string) ([]byte, error) {
	tree, err := decode(solution)
	if err != nil {
		return nil, err
	}
	root, ok := tree.(map[string]any)
	if !ok {
		return nil, fmt.Errorf("it is no object")
	}
	renamed, _ := (&shuffle{ids: b.ids}).rename(root, "").(map[string]any)
	renamed["instance"] = name
	return json.Marshal(renamed)
}

func decode(file []byte) (tree any, err error) {
	d := json.NewDecoder(bytes.NewReader(file))
	d.UseNumber()
	err = d.Decode(&tree)
	return tree, err
}

// A shuffle renames and reorders the parts of an instance.
type shuffle struct {
	rng   *rand.Rand        // nil: the order stays, and ids are found wherever they stand, as texts and as keys
	found []string          // ids, in the order of the file
	ids   map[string]string // what they become
}

// collect finds the ids of all parts.
func (s *shuffle) collect(v any) {
	switch v := v.(type) {
	case []any:
		for _, x := range v {
			part, _ := x.(map[string]any)
			if id, ok := part["id"].(string); ok && s.ids[id] == "" {
				s.ids[id] = id
				s.found = append(s.found, id)
			}
			s.collect(x)
		}
	case map[string]any:
		for _, key := range slices.Sorted(maps.Keys(v)) {
			s.collect(v[key])
		}
	}
}

// The fields of instances, beside id, that name parts: as texts, or as keys.
const (
	parents  = "parents"
	copyTime = "copy_time"
)

// rename returns v, the value of a field, with other ids, and shuffles its lists of parts.
func (s *shuffle) rename(v any, field string) any {
	switch v := v.(type) {
	case string:
		if id := s.ids[v]; id != "" && (s.rng == nil || field == "id" || field == parents) {
			return id
		}
	case []any:
		parts := len(v) > 0
		for i := range v {
			part, _ := v[i].(map[string]any)
			_, named := part["id"]
			parts = parts && named
			v[i] = s.rename(v[i], field)
		}
		if parts && s.rng != nil {
			s.rng.Shuffle(len(v), func(i, j int) { v[i], v[j] = v[j], v[i] })
		}
	case map[string]any:
		out := make(map[string]any, len(v))
		for _, key := range slices.Sorted(maps.Keys(v)) {
			if id := s.ids[key]; id != "" && (s.rng == nil || field == copyTime) {
				out[id] = s.rename(v[key], field)
			} else {
				out[key] = s.rename(v[key], key)
			}
		}
		return out
	}
	return v
}
