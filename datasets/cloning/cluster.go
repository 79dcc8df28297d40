// Package cloning makes instances of the cloning problem: Generator draws jobs and clusters, Deriver takes them out of traces,
// Workloads makes runs of the simulator, and Moves changes instances in searches for worst cases. bench/catalog registers all of
// them.
package cloning

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"schedgap/models"
	"schedgap/models/cloning"
)

// The kinds of clusters.
const (
	oneServer     = "single" // one server of capacity 1, as in the paper's analysis and Figure 2
	smallCluster  = "small"  // a few different servers
	paperCluster  = "paper"  // the 30 nodes of the paper's testbed, cores and GB
	googleCluster = "google" // servers drawn from the capacity mix of Google's 2011 trace
)

// ClusterParams are the options that choose a cluster.
func ClusterParams() []models.Param {
	return []models.Param{
		models.Choice("cluster", smallCluster, []string{oneServer, smallCluster, paperCluster, googleCluster},
			"one server of capacity 1; a few different ones; the paper's 30 nodes; a sample of Google's capacity mix"),
		models.Between("servers", 2, 1, 1e6, "servers of a small or google cluster"),
	}
}

// idleCopies says that max_copies was given and that the servers hold fewer copies of a task.
func idleCopies(given map[string]any, v models.Values) string {
	_, asked := given["max_copies"]
	servers, each, most := v.Int("servers"), v.Int("max_copies_per_server"), v.Int("max_copies")
	switch v["cluster"] { // nil: of a derivation
	case oneServer:
		servers = 1
	case paperCluster:
		servers = len(PaperCluster())
	}
	if !asked || most == 1 || servers >= most || servers*each >= most {
		return ""
	}
	return fmt.Sprintf("max_copies=%d decides nothing beyond %d: of servers there are %d, and max_copies_per_server is %d", most, servers*each,
		servers, each)
}

// Cluster makes the servers that values of ClusterParams ask for. Their capacities are of cpu and mem.
func Cluster(v models.Values, rng *rand.Rand) []cloning.Server {
	switch v.Text("cluster") {
	case oneServer:
		return servers([][]float64{{1, 1}})
	case paperCluster:
		return PaperCluster()
	case googleCluster:
		return GoogleCluster(v.Int("servers"), rng)
	}
	return SmallCluster(v.Int("servers"))
}

// servers names servers s1, s2, … of the given capacities.
func servers(capacities [][]float64) []cloning.Server {
	list := make([]cloning.Server, len(capacities))
	for i, c := range capacities {
		list[i] = cloning.Server{ID: fmt.Sprintf("s%d", i+1), Capacity: slices.Clone(c)}
	}
	return list
}

// SmallCluster has n servers that go round four capacities, as different as Google's most frequent machines.
func SmallCluster(n int) []cloning.Server {
	kinds := [][]float64{{1, 1}, {0.5, 0.5}, {0.5, 0.25}, {0.5, 0.75}}
	capacities := make([][]float64, n)
	for i := range capacities {
		capacities[i] = kinds[i%len(kinds)]
	}
	return servers(capacities)
}

// PaperCluster is the testbed of the paper's section 6.1, in cores and GB: 2 servers of 24 cores and 48 GB, 7 of 16 cores and
// 32 to 64 GB, here 32, 48 and 64 in turn, 21 of 8 cores and 16 GB, 328 cores in all.
func PaperCluster() []cloning.Server {
	capacities := [][]float64{{24, 48}, {24, 48}}
	for _, memory := range []float64{32, 48, 64, 32, 48, 64, 32} {
		capacities = append(capacities, []float64{16, memory})
	}
	for range 21 {
		capacities = append(capacities, []float64{8, 16})
	}
	return servers(capacities)
}

// googleMix are the machines of ClusterData 2011-2 at its start by their capacities, relative to the largest of each resource;
// 13 of the 12,477 have further ones and are left out. Reiss et al., Heterogeneity and Dynamicity of Clouds at Scale, SoCC
// 2012, Table 1, show nearly the same counts.
var googleMix = []struct {
	machines int
	capacity [2]float64
}{
	{6672, [2]float64{0.5, 0.4995}},
	{3835, [2]float64{0.5, 0.2493}},
	{992, [2]float64{0.5, 0.749}},
	{788, [2]float64{1, 1}},
	{123, [2]float64{0.25, 0.2498}},
	{54, [2]float64{0.5, 0.1241}},
}

// GoogleCluster draws n servers from the capacity mix of Google's 2011 trace.
func GoogleCluster(n int, rng *rand.Rand) []cloning.Server {
	machines := 0
	for _, kind := range googleMix {
		machines += kind.machines
	}
	capacities := make([][]float64, n)
	for i := range capacities {
		k, at := 0, rng.IntN(machines)
		for at >= googleMix[k].machines {
			at -= googleMix[k].machines
			k++
		}
		capacities[i] = googleMix[k].capacity[:]
	}
	return servers(capacities)
}

// copyParams are the options that bound the copies of a task.
func copyParams() []models.Param {
	return []models.Param{
		models.Between("max_copies", 3, 1, 100, "most running copies of a task"),
		models.Between("max_copies_per_server", 1, 1, 100, "of these, on one server"),
	}
}
