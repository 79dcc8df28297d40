package paper

import (
	"bytes"
	"fmt"

	"schedgap/reports/summary"
)

// software is the key of schedgap itself.
const software = "schedgap"

// sources are the papers whose problems and algorithms are measured, by problem: BibTeX's key and entry.
var sources = map[string][2]string{
	"flex": {"wolf2010flex", `@inproceedings{wolf2010flex,
  author    = {Joel Wolf and Deepak Rajan and Kirsten Hildrum and Rohit Khandekar and Vibhore Kumar and Sujay Parekh and Kun-Lung Wu and Andrey Balmin},
  title     = {{FLEX}: A Slot Allocation Scheduling Optimizer for {MapReduce} Workloads},
  booktitle = {ACM/IFIP/USENIX 11th International Middleware Conference},
  pages     = {1--20},
  year      = {2010},
  doi       = {10.1007/978-3-642-16955-7_1},
}`},
	"pocd": {"alamro2020shed", `@article{alamro2020shed,
  author  = {Sultan Alamro and Maotong Xu and Tian Lan and Suresh Subramaniam},
  title   = {Shed+: Optimal Dynamic Speculation to Meet Application Deadlines in Cloud},
  journal = {IEEE Transactions on Network and Service Management},
  year    = {2020},
}`},
	"cloning": {"xu2022dollymp", `@inproceedings{xu2022dollymp,
  author    = {Huanle Xu and Yang Liu and Wing Cheong Lau},
  title     = {Multi Resource Scheduling with Task Cloning in Heterogeneous Clusters},
  booktitle = {International Conference on Parallel Processing (ICPP)},
  year      = {2022},
}`},
	"redundancy": {"xu2018redundancy", `@article{xu2018redundancy,
  author = {Huanle Xu and Gustavo de Veciana and Wing Cheong Lau and Kunxiao Zhou},
  title  = {Online Job Scheduling with Redundancy and Opportunistic Checkpointing: A Speedup-Function-Based Analysis},
  year   = {2018},
}`},
	"speculation": {"zhou2018window", `@inproceedings{zhou2018window,
  author    = {Amelie Chi Zhou and Tien-Dat Phan and Shadi Ibrahim and Bingsheng He},
  title     = {Energy-Efficient Speculative Execution using Advanced Reservation for Heterogeneous Clusters},
  booktitle = {47th International Conference on Parallel Processing (ICPP)},
  year      = {2018},
  doi       = {10.1145/3225058.3225084},
}`},
}

// key is what a text cites for a problem; empty: nothing.
func key(problem string) string { return sources[problem][0] }

// bibliography has schedgap and the paper of each problem in the report.
func bibliography(r *summary.Report) []byte {
	var b bytes.Buffer
	version := "unknown"
	year := 0
	if p := r.Provenance; p != nil {
		version, year = p.Version, p.GeneratedAt.Year()
	}
	fmt.Fprintf(&b, "@misc{%s,\n  author = {{The schedgap authors}},\n  title  = {schedgap: optimality gaps of cluster-scheduling heuristics},\n  note   = {version %s},\n",
		software, Escape(version))
	if year > 0 {
		fmt.Fprintf(&b, "  year   = {%d},\n", year)
	}
	b.WriteString("}\n")
	for _, p := range r.Problems {
		if entry := sources[p.Name][1]; entry != "" {
			fmt.Fprintf(&b, "\n%s\n", entry)
		}
	}
	return b.Bytes()
}
