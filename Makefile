# Everything a newcomer types is `make demo`; `make test` passes the tests. Nothing needs to be installed beforehand but Go.
SHELL := bash
.SHELLFLAGS := -euo pipefail -c

# The environment in which cgo finds the solvers; people who call go themselves run: eval "$(scripts/env)"
GO := scripts/env go
# Outside of a checkout, or in one of another user's, git says nothing about the version.
BUILDVCS := $(shell git rev-parse HEAD >/dev/null 2>&1 && echo true || echo false)

.PHONY: build test demo lint bench-flex bench-pocd figures-flex figures-pocd setup ready clean

build: ready
	$(GO) build -trimpath -buildvcs=$(BUILDVCS) -o bin/schedgap ./cmd/schedgap

test: ready
	$(GO) test -timeout 15m ./...

demo: build
	scripts/demo

lint: ready
	@unformatted=$$($(GO) tool gofumpt -l .); if [ -n "$$unformatted" ]; then echo "not gofumpt-clean:"; echo "$$unformatted"; exit 1; fi
	$(GO) vet ./...
	$(GO) tool staticcheck ./...
	$(GO) test -count=1 -run TestImports ./cmd/schedgap

# Ratios, each against a baseline of the same run: opt-mps against enumeration, the ways to opt against the position model,
# the MILP solvers against HiGHS, flex at scale, trace reading against gzip, the harness's overhead a unit. A quarter of an
# hour; SCHEDGAP_LARGEST=60s adds the largest sizes that are proven within 60 s, which takes hours.
bench-flex: ready
	$(GO) test -run '^$$' -bench . -benchtime 10x ./models/flex ./heuristics/flex
	$(GO) test -run '^$$' -bench . -benchtime 1x -timeout 10h ./exact/flex
	$(GO) test -run '^$$' -bench Read -benchtime 3x -cpu 1 ./datasets/google2011
	$(GO) test -run '^$$' -bench Overhead ./bench/worker

# The same for pocd: the dynamic program and shed+ at 1,000 jobs × 20 tasks, against HiGHS, and the simulator's speed.
bench-pocd: ready
	$(GO) test -run '^$$' -bench . -benchtime 3x -timeout 1h ./exact/pocd ./heuristics/pocd ./models/pocd/...

# The papers' simulated figures, ours beside theirs where the list of their claims is at hand.
figures-flex: ready
	$(GO) test -run '^$$' -bench Figure -benchtime 1x -timeout 1h ./datasets/flex
figures-pocd: ready
	$(GO) test -run '^$$' -bench Figure -benchtime 1x -timeout 1h ./datasets/pocd

setup:
	scripts/setup

ready:
	@scripts/setup --check 2>/dev/null || scripts/setup

clean:
	rm -rf bin demo
