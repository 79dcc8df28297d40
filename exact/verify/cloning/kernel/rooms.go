package kernel

import "slices"

// Rooms are what is free on the servers. Only what fits may be taken.
type Rooms struct {
	sp   *Space
	Free []int64 // by server and resource, in whole units
}

// Rooms are those of empty servers.
func (sp *Space) Rooms() Rooms {
	r := Rooms{sp: sp}
	for _, c := range sp.Servers {
		r.Free = append(r.Free, sp.Classes[c].room...)
	}
	return r
}

// Clone is a copy.
func (r Rooms) Clone() Rooms { return Rooms{r.sp, slices.Clone(r.Free)} }

func (r Rooms) of(phase, server int) (size, free []int64) {
	w := len(r.sp.In.Resources)
	return r.sp.Phases[phase].size[r.sp.Servers[server]], r.Free[server*w : (server+1)*w]
}

// Fit reports whether n ≥ 1 copies of a phase find room on a server.
func (r Rooms) Fit(phase, server, n int) bool {
	size, free := r.of(phase, server)
	return size != nil && within(size, free, int64(n))
}

// Take takes the room of n copies.
func (r Rooms) Take(phase, server, n int) {
	size, free := r.of(phase, server)
	add(free, size, -int64(n))
}

// Hold takes the room of copies of job j, by task and server.
func (r Rooms) Hold(j int, g *Graph, copies []uint8) {
	servers := len(r.sp.Servers)
	for c, n := range copies {
		if n > 0 {
			r.Take(r.sp.Jobs[j].From+g.Phase[c/servers], c%servers, int(n))
		}
	}
}

// Fresh reports whether phase k may run from a moment on and not before: its job arrives then, or a parent has just ended. ended has a bit
// for each phase that has, modulo 64.
func (sp *Space) Fresh(k, now int, ended uint64) bool {
	return sp.Jobs[sp.Phases[k].Job].Arrival == now ||
		slices.ContainsFunc(sp.Phases[k].Parents, func(p int) bool { return ended>>(p%64)&1 == 1 })
}
