# Everything a newcomer types is `make demo`; `make test` passes the tests. Nothing needs to be installed beforehand but Go.
SHELL := bash
.SHELLFLAGS := -euo pipefail -c

# The environment in which cgo finds the solvers; people who call go themselves run: eval "$(scripts/env)"
GO := scripts/env go
# Outside of a checkout, or in one of another user's, git says nothing about the version.
# Variables that git sets for its hooks would name another repository.
unexport GIT_DIR GIT_WORK_TREE GIT_INDEX_FILE GIT_OBJECT_DIRECTORY GIT_COMMON_DIR
BUILDVCS := $(shell unset GIT_DIR GIT_WORK_TREE GIT_INDEX_FILE GIT_OBJECT_DIRECTORY GIT_COMMON_DIR; git rev-parse HEAD >/dev/null 2>&1 && echo true || echo false)

.PHONY: check-paper build checker portable install screenshots fmt test hunt test-faults test-slurm fuzz demo lint bench-flex bench-pocd bench-cloning bench-redundancy bench-speculation \
	bench-peers bench-bounds bench-planted bench-cuts strength bench-scale bench-reach setup ready clean

build: ready
	scripts/tell "building bin/schedgap" $(GO) build -buildvcs=$(BUILDVCS) -o bin/schedgap ./cmd/schedgap
	$(MAKE) --no-print-directory checker

# The judge of proofs, which needs no solver.
checker:
	scripts/tell "building bin/schedcheck" env CGO_ENABLED=0 $(GO) build -buildvcs=$(BUILDVCS) -trimpath -ldflags '-s -w' -o bin/schedcheck ./cmd/schedcheck

# Below PREFIX, and below DESTDIR for those who make packages: the programs, completions for bash, zsh and fish, man pages.
PREFIX ?= /usr/local
install:
	@test -x bin/schedgap -a -x bin/schedcheck || $(MAKE) build
	scripts/install "$(DESTDIR)$(PREFIX)"

# The build that needs Go only, without linked solvers, and the other systems that the program compiles for. The tests are
# those that tell the two kinds of build apart.
portable: export CGO_ENABLED := 0
portable:
	go build ./...
	go vet ./...
	go test ./exact/milp/...
	go test -run 'TestSolve|TestVersion|TestUnknownNames' ./cmd/schedgap
	for target in linux/arm64 darwin/amd64 darwin/arm64; do GOOS=$${target%/*} GOARCH=$${target#*/} go build ./...; done

# Where there is npm, its packages must be had, unless SCHEDGAP_OFFLINE is set: else the page, DuckDB and hyparquet would go untested unnoticed.
# SCHEDGAP_TRIALS multiplies the random cases: 0.25 if not set, 1 every night, 10 before a release; set, it draws fresh seeds.
# Vet is part of lint.
# Memory is there: tests collect less garbage unless GOGC is set, which is an eighth of their processor time.
test: export GOGC ?= 400
test: ready
	for folder in reports/page/tests scripts/notebooks scripts/solvers; do scripts/npm-ci $$folder || [ $$? = 3 ]; done
	$(GO) test -vet=off -timeout 15m ./...

# Nasty instances, 2,000 of each problem times SCHEDGAP_TRIALS, on which every method, formulation, bound, proof and verifier is held
# against exact oracles; half an hour. It stops at the first contradiction of a problem, and leaves it, shrunken, in HUNT.
HUNT ?= hunt
hunt: ready
	mkdir -p $(HUNT)
	SCHEDGAP_TRIALS=$${SCHEDGAP_TRIALS:-1} SCHEDGAP_HUNT=$(abspath $(HUNT)) $(GO) test -count=1 -timeout 12h -run TestHunt -v ./bench/catalog

# The long form of the tests that kill, stop, starve and damage runs; a short one is part of test.
test-faults: ready
	SCHEDGAP_TRIALS=12 $(GO) test -count=1 -timeout 2h -run TestFaults -v ./cmd/schedgap

# The array job of scripts/slurm on a Slurm of one node, which the test starts by itself (Debian or Ubuntu, root).
test-slurm: build
	scripts/slurm/test

demo:
	scripts/demo

# The report's page as readers see it, in screenshots/: several reports, widths, light and dark, and what axe-core says of them.
# Needs Chromium and npm, and says so where they are missing.
screenshots: build
	scripts/screenshots


fmt: ready
	$(GO) tool gofumpt -w .

lint: ready
	@unformatted=$$($(GO) tool gofumpt -l .); if [ -n "$$unformatted" ]; then echo "not gofumpt-clean:"; echo "$$unformatted"; exit 1; fi
	$(GO) vet ./...
	$(GO) tool staticcheck ./...
	$(GO) tool actionlint .github/workflows/*.yml scripts/template/.github/workflows/*.yml
	$(GO) test -count=1 -run 'TestImports|TestShellcheck' ./cmd/schedgap

# What `report --for paper` writes, set by LaTeX on a two-column page: no box may be too wide for its column.
check-paper: build
	scripts/check-paper

# Ratios, each against a baseline of the same run: opt-mps against enumeration, the ways to opt against the position model, trace
# reading against gzip, the harness's overhead a unit, the simulator's speed. bench-scale measures heuristics, checkers and readers by
# size, and bench-reach the sizes that each method and solver proves.
bench-flex: ready
	$(GO) test -run '^$$' -bench . -benchtime 1x -timeout 1h ./exact/flex
	$(GO) test -run '^$$' -bench Read -benchtime 3x -cpu 1 ./datasets/formats/google2011
	$(GO) test -run '^$$' -bench Overhead ./bench/run/worker
	$(GO) test -run '^$$' -bench Simulate/flex -benchtime 3x -timeout 1h ./bench/catalog

# The same for pocd: the dynamic program at 1,000 jobs × 20 tasks, and the simulator's speed.
bench-pocd: ready
	$(GO) test -run '^$$' -bench . -benchtime 3x -timeout 1h ./exact/pocd
	$(GO) test -run '^$$' -bench Simulate/pocd -benchtime 3x -timeout 1h ./bench/catalog

# Likewise for the other problems: exact methods against each other, the simulators' speed.
bench-cloning: ready
	$(GO) test -run '^$$' -bench . -benchtime 1x -timeout 2h ./exact/cloning ./heuristics/cloning
bench-redundancy: ready
	$(GO) test -run '^$$' -bench Simulate/redundancy -benchtime 1x -timeout 1h ./bench/catalog
bench-speculation: ready
	$(GO) test -run '^$$' -bench . -benchtime 1x -timeout 2h ./exact/speculation ./models/speculation
	$(GO) test -run '^$$' -bench Simulate/speculation -benchtime 20x -timeout 1h ./bench/catalog

# One workload, served in order of arrival, here and on SimGrid: equal completions, then speeds. Skipped aloud without SimGrid.
bench-peers: ready
	scripts/peers/run

# The best known value over the best bound, by problem and size, on fresh seeds; reports draw the intervals against size.
bench-bounds: build
	scripts/scale

# Values and bounds of cloning over the optimum of three instances of 100 jobs whose optimum is planted; six minutes.
bench-planted: ready
	$(GO) test -run '^$$' -bench Planted -benchtime 1x -timeout 1h ./bench/catalog

# The CPU time of every heuristic, checker and reader at 10^3, 10^4 and 10^5 jobs, with the ratio and its exponent; up to an hour.
# PROBLEM=flex measures one problem.
bench-scale: ready
	$(GO) test -run '^$$' -bench "Growth/$(or $(PROBLEM),.)" -benchtime 1x -timeout 3h ./bench/catalog

# What each family of cuts of the MILP formulations is worth to HiGHS: the relaxation, what is proven in 20 s, and the time against that
# with all rows, on ten instances each; half an hour. PROBLEM=flex measures one problem.
bench-cuts: ready
	$(GO) test -run '^$$' -bench "Cuts/$(or $(PROBLEM),.)" -benchtime 1x -timeout 3h ./bench/catalog

# The relaxation and HiGHS's bound after the root node over the optimum, for each formulation with all rows and without each family of
# cuts, on three small instances that are always the same; a minute for all problems. P=flex states one problem's, in seconds.
strength: ready
	$(GO) test -run '^$$' -bench "Strength/$(or $(P),.)" -benchtime 1x -timeout 1h ./bench/catalog

# How many of ten default instances are proven in 60 CPU seconds, by problem and size; hours. SCHEDGAP_BASE=binary counts beside.
bench-reach: build
	scripts/reach

setup:
	scripts/setup

ready:
	@scripts/setup --check 2>/dev/null || scripts/setup

# A minute of fuzzing for every parser.
fuzz: ready
	scripts/fuzz

clean:
	rm -rf bin demo
