# Everything a newcomer types is `make demo`; `make test` passes the tests. Nothing needs to be installed beforehand but Go.
SHELL := bash
.SHELLFLAGS := -euo pipefail -c

# The environment in which cgo finds the solvers; people who call go themselves run: eval "$(scripts/env)"
GO := scripts/env go
# Outside of a checkout, or in one of another user's, git says nothing about the version.
BUILDVCS := $(shell git rev-parse HEAD >/dev/null 2>&1 && echo true || echo false)

.PHONY: build test demo lint bench-flex setup ready clean

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

# Times of the exact methods and heuristics of flex on fixed instances.
bench-flex: ready
	$(GO) test -run '^$$' -bench . -benchmem ./models/flex/... ./heuristics/flex/... ./exact/flex/...

setup:
	scripts/setup

ready:
	@scripts/setup --check 2>/dev/null || scripts/setup

clean:
	rm -rf bin demo
