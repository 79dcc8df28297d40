// Package renaming changes the names and the order of an instance, finds out whether two instances are equal up to these, and
// translates solutions.
package renaming

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"maps"
	"math/rand/v2"
	"reflect"
	"slices"

	"schedgap/models"
)

// The fields of instances, beside id, that name parts: as texts, or as keys.
const (
	parents  = "parents"
	copyTime = "copy_time"
)

// Names maps the ids of one instance to those of another that is the same except for its names and the order of its parts. An id
// lies within that of the part around it: phases of different jobs may have the same.
type Names map[string]renamed

type renamed struct {
	to     string
	within Names
}

// Between finds such a map; nil: the instances differ in more, or what can be exchanged in them is too entangled to be found.
func Between(from, to []byte) (Names, error) {
	a, err := tree(from)
	if err != nil {
		return nil, err
	}
	b, err := tree(to)
	if err != nil {
		return nil, err
	}
	n := Names{}
	if !pair(a, b, n) || !reflect.DeepEqual(n.instance(a, "", inOrder), Names{}.instance(b, "", inOrder)) {
		return nil, nil
	}
	return n, nil
}

// Shuffled is an instance's file under another name, its parts under other ids and in another order, without a lineage: by the
// seed and the instance without its name. The names lead back.
func Shuffled(file []byte, name string, seed uint64) (shuffled []byte, back Names, err error) {
	root, err := tree(file)
	if err != nil {
		return nil, nil, err
	}
	sum := fnv.New64a()
	_ = json.NewEncoder(sum).Encode(root) // it was decoded, and a hash takes all
	rng := rand.New(rand.NewPCG(seed, sum.Sum64()))
	found := ids(root, nil, map[string]bool{})
	n, back := Names{}, Names{}
	for i, k := range rng.Perm(len(found)) {
		id := fmt.Sprintf("q%d", i+1)
		n[found[k]], back[id] = renamed{to: id}, renamed{to: found[k]}
	}
	root["name"] = name
	shuffled, err = json.Marshal(n.instance(root, "", func(list []any) {
		if !isText(list[0]) {
			rng.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
		}
	}))
	return shuffled, back, err
}

// ids adds the ids of all parts to found, in the order of the file.
func ids(v any, found []string, seen map[string]bool) []string {
	switch v := v.(type) {
	case []any:
		for _, x := range v {
			part, _ := x.(map[string]any)
			if id, ok := part["id"].(string); ok && !seen[id] {
				seen[id] = true
				found = append(found, id)
			}
			found = ids(x, found, seen)
		}
	case map[string]any:
		for _, key := range slices.Sorted(maps.Keys(v)) {
			found = ids(v[key], found, seen)
		}
	}
	return found
}

// tree is an instance without its own name and lineage.
func tree(file []byte) (map[string]any, error) {
	v, err := decode(file)
	delete(v, "name")
	delete(v, "lineage")
	return v, err
}

// decode reads an object. Numbers stay the texts that they are.
func decode(file []byte) (v map[string]any, err error) {
	d := json.NewDecoder(bytes.NewReader(file))
	d.UseNumber()
	err = d.Decode(&v)
	return v, err
}

// parts returns the elements of a list that have ids, by their contents without names. Nil: it is no such list.
func parts(v any) map[string][]map[string]any {
	list, _ := v.([]any)
	signatures := map[string]string{} // by id
	for _, x := range list {
		part, _ := x.(map[string]any)
		id, has := part["id"].(string)
		if !has {
			return nil
		}
		signatures[id] = ""
	}
	for told := 0; ; {
		next, out := map[string]string{}, map[string][]map[string]any{}
		for _, x := range list {
			part := x.(map[string]any)
			s := models.Digest([]byte(signature(part, signatures)))
			next[part["id"].(string)], out[s] = s, append(out[s], part)
		}
		if len(out) <= told { // another round tells no more of them apart
			return out
		}
		signatures, told = next, len(out)
	}
}

// signature returns a value without its names. An id of the surrounding list is replaced by the contents that it refers to.
func signature(v any, ids map[string]string) string {
	switch v := v.(type) {
	case map[string]any:
		text := "{"
		for _, key := range slices.Sorted(maps.Keys(v)) {
			if key != "id" {
				text += key + ":" + signature(v[key], ids) + ","
			}
		}
		return text + "}"
	case []any:
		var texts []string
		if p := parts(v); p != nil {
			for _, s := range slices.Sorted(maps.Keys(p)) {
				texts = append(texts, slices.Repeat([]string{s}, len(p[s]))...)
			}
			return fmt.Sprint(texts)
		}
		for _, x := range v {
			texts = append(texts, signature(x, ids))
		}
		if len(v) > 0 && isText(v[0]) {
			slices.Sort(texts)
		}
		return fmt.Sprint(texts)
	case string:
		if s, known := ids[v]; known {
			return s
		}
	}
	return fmt.Sprint(v)
}

func isText(v any) bool { _, is := v.(string); return is }

// pair enters into n which part of a becomes which of b: of those that look the same the first becomes the first.
func pair(a, b map[string]any, n Names) bool {
	for key, x := range a {
		of, other := parts(x), parts(b[key])
		for s, list := range of {
			if len(other[s]) != len(list) {
				return false
			}
			for i, part := range list {
				to := renamed{to: other[s][i]["id"].(string), within: Names{}}
				if !pair(part, other[s][i], to.within) {
					return false
				}
				n[part["id"].(string)] = to
			}
		}
	}
	return true
}

// below returns the new name of an id, and the new names of the ids within it.
func (n Names) below(id string) (string, Names) {
	to, known := n[id]
	switch {
	case !known:
		return id, n
	case len(to.within) == 0:
		return to.to, n
	}
	inner := maps.Clone(n)
	maps.Copy(inner, to.within)
	return to.to, inner
}

// instance is the value of an instance's field under the new names. Lists whose order means nothing, of parts with ids and of
// parents, are arranged; other texts than those of id and parents are no names, whatever they say.
func (n Names) instance(v any, field string, arrange func(list []any)) any {
	switch v := v.(type) {
	case map[string]any:
		out, inner := maps.Clone(v), n
		id, has := v["id"].(string)
		if has {
			out["id"], inner = n.below(id)
		}
		if field == copyTime {
			clear(out)
		}
		for _, key := range slices.Sorted(maps.Keys(v)) {
			switch {
			case field == copyTime:
				to, below := n.below(key)
				out[to] = below.instance(v[key], field, arrange)
			case key != "id" || !has:
				out[key] = inner.instance(v[key], key, arrange)
			}
		}
		return out
	case []any:
		out, arranged := make([]any, len(v)), len(v) > 0
		for i, x := range v {
			part, _ := x.(map[string]any)
			_, named := part["id"]
			arranged = arranged && (named || field == parents)
			out[i] = n.instance(x, field, arrange)
		}
		if arranged {
			arrange(out)
		}
		return out
	case string:
		if field == parents {
			v, _ = n.below(v)
		}
		return v
	}
	return v
}

// inOrder sorts parts and ids.
func inOrder(list []any) {
	key := func(x any) string {
		if part, is := x.(map[string]any); is {
			x = part["id"]
		}
		text, _ := x.(string)
		return text
	}
	slices.SortStableFunc(list, func(a, b any) int { return cmp.Compare(key(a), key(b)) })
}

// solution is a part of a solution under the new names, which are keys as well as values. Ids within another are below or behind
// it.
func (n Names) solution(v any) any {
	switch v := v.(type) {
	case map[string]any:
		out := map[string]any{}
		for key, x := range v {
			to, inner := n.below(key)
			out[to] = inner.solution(x)
		}
		return out
	case []any:
		out := make([]any, len(v))
		for i, x := range v {
			if id, is := x.(string); is {
				out[i], n = n.below(id)
			} else {
				out[i] = n.solution(x)
			}
		}
		return out
	case string:
		to, _ := n.below(v)
		return to
	}
	return v
}

// Solution is a solution's file under the new names, for the instance of that name, without some of its fields.
func (n Names) Solution(file []byte, instance string, without ...string) ([]byte, error) {
	v, err := decode(file)
	if err != nil {
		return nil, err
	}
	out, _ := n.solution(v).(map[string]any)
	out["instance"] = instance
	for _, field := range without {
		delete(out, field)
	}
	return json.Marshal(out)
}
