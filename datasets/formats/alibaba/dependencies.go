package alibaba

import (
	"strconv"
	"strings"
)

// dependencies reads a task's name: letters, its number in the job, then the numbers of the tasks it waits for, all joined by
// underscores, as in J5_2_4. Marks such as Stg8 in M1_Stg8 are no dependencies. Names of another form, such as task_Nzg3,
// belong to tasks outside any DAG.
func dependencies(name string) (number int32, parents []int32, dag bool) {
	own, rest, more := strings.Cut(name, "_")
	number, ok := digits(strings.TrimLeft(own, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"))
	if !ok || own[0] >= '0' && own[0] <= '9' {
		return -1, nil, false
	}
	for more {
		var part string
		part, rest, more = strings.Cut(rest, "_")
		if parent, ok := digits(part); ok {
			parents = append(parents, parent)
			continue
		}
		if _, ok := digits(strings.TrimPrefix(part, "Stg")); !ok && part != "" {
			return -1, nil, false
		}
	}
	return number, parents, true
}

func digits(text string) (int32, bool) {
	if text == "" || text[0] == '+' || text[0] == '-' {
		return 0, false
	}
	v, err := strconv.ParseInt(text, 10, 32)
	return int32(v), err == nil
}
