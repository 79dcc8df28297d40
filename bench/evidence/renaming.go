package evidence

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"

	"schedgap/models"
)

// names maps the ids of one instance to those of another that is the same except for its names and the order of its parts. An id
// lies within that of the part around it: phases of different jobs may have the same.
type names map[string]renamed

type renamed struct {
	to     string
	within names
}

// renaming finds such a map; nil: the instances differ in more, or what can be exchanged in them is too entangled to be found.
func renaming(from, to []byte) (names, error) {
	a, err := tree(from)
	if err != nil {
		return nil, err
	}
	b, err := tree(to)
	if err != nil {
		return nil, err
	}
	n := names{}
	if !pair(a, b, n) || !reflect.DeepEqual(n.instance(a), names{}.instance(b)) {
		return nil, nil
	}
	return n, nil
}

// tree is a file without its own name and lineage. Numbers stay the texts that they are in canonical files.
func tree(file []byte) (v map[string]any, err error) {
	d := json.NewDecoder(bytes.NewReader(file))
	d.UseNumber()
	err = d.Decode(&v)
	delete(v, "name")
	delete(v, "lineage")
	return v, err
}

// parts are the elements of a list that have ids, by what they are without names; nil: it is no such list.
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

// signature is a value without its names: of ids of the list around it, what they stand for.
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
func pair(a, b map[string]any, n names) bool {
	for key, x := range a {
		of, other := parts(x), parts(b[key])
		for s, list := range of {
			if len(other[s]) != len(list) {
				return false
			}
			for i, part := range list {
				to := renamed{to: other[s][i]["id"].(string), within: names{}}
				if !pair(part, other[s][i], to.within) {
					return false
				}
				n[part["id"].(string)] = to
			}
		}
	}
	return true
}

// below is what an id becomes, and what those within it become.
func (n names) below(id string) (string, names) {
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

// instance is an instance under the new names, with the lists whose order means nothing, of parts with ids and of ids, in order.
// Other texts than ids and lists of ids are no names, whatever they say.
func (n names) instance(v any) any {
	switch v := v.(type) {
	case map[string]any:
		out := maps.Clone(v)
		if id, has := v["id"].(string); has {
			out["id"], n = n.below(id)
		}
		for key, x := range v {
			if !isText(x) {
				out[key] = n.instance(x)
			}
		}
		return out
	case []any:
		out := make([]any, len(v))
		for i, x := range v {
			if id, is := x.(string); is {
				out[i], _ = n.below(id)
			} else {
				out[i] = n.instance(x)
			}
		}
		key := func(x any) string {
			if part, is := x.(map[string]any); is {
				x = part["id"]
			}
			text, _ := x.(string)
			return text
		}
		slices.SortStableFunc(out, func(a, b any) int { return cmp.Compare(key(a), key(b)) })
		return out
	}
	return v
}

// solution is a part of a solution under the new names, which are keys as well as values. Ids within another are below or behind
// it.
func (n names) solution(v any) any {
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

// file is a solution's file under the new names.
func (n names) file(solution []byte, instance string) ([]byte, error) {
	v, err := tree(solution)
	if err != nil {
		return nil, err
	}
	out, _ := n.solution(v).(map[string]any)
	out["instance"] = instance
	delete(out, "objective") // sums in another order may end in another digit
	return json.Marshal(out)
}
