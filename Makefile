# memobench: everything works with Go and make alone. OpenBLAS is used when
# pkg-config and a C compiler find it.

.DEFAULT_GOAL := help
SHELL := /bin/sh
GO    ?= go
CC    ?= cc
GOFMT ?= $(shell command -v gofmt || echo "$$($(GO) env GOROOT)/bin/gofmt")

# Which BLAS. "make test BLAS=go" keeps to pure Go where OpenBLAS is installed,
# BLAS=openblas insists on OpenBLAS.
BLAS ?= auto
FOUND := $(shell pkg-config --exists openblas 2>/dev/null && echo yes)
ifeq ($(BLAS),auto)
  HAVE_OPENBLAS := $(if $(FOUND),$(shell command -v $(CC) >/dev/null 2>&1 && echo yes))
else ifeq ($(BLAS),openblas)
  HAVE_OPENBLAS := yes
else ifeq ($(BLAS),go)
  HAVE_OPENBLAS :=
else
  $(error BLAS=$(BLAS): want auto, go or openblas)
endif
ifeq ($(HAVE_OPENBLAS),yes)
  export CGO_ENABLED = 1
  TAGS     := -tags openblas
ifeq ($(FOUND),yes)
  BLASLINE := BLAS: OpenBLAS $(shell pkg-config --modversion openblas 2>/dev/null) (found by pkg-config)
else
  BLASLINE := BLAS: OpenBLAS, as asked for, but pkg-config does not find it: the build will fail
endif
else
  export CGO_ENABLED = 0
  TAGS     :=
  BLASLINE := BLAS: pure Go
endif

.PHONY: help run babi test bench bench-peers build release lint say-blas

help: ## list the targets
	@echo "memobench: train and compare memory networks. Targets:"
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-11s %s\n", $$1, $$2}' $(MAKEFILE_LIST)
	@echo "$(BLASLINE)"

say-blas:
	@echo "$(BLASLINE)"

BUILD = $(GO) build $(TAGS) -o bin/memobench ./cmd/memobench

build: say-blas ## build bin/memobench
	$(BUILD)

# The first build says how long it takes, later ones are silent unless they fail.
define build-quietly
@[ -x bin/memobench ] || echo "Building memobench. The first time Go downloads modules and compiles, which takes a few minutes."
@out=$$($(BUILD) 2>&1) || { printf '%s\n' "$$out" >&2; exit 1; }
endef

run: ## train and compare the models on the small preset, into runs/quick
	$(build-quietly)
	@./bin/memobench run quick --out runs/quick

babi: ## train MEMO on the 20 bAbI tasks, into runs/babi
	$(build-quietly)
	@./bin/memobench run babi --out runs/babi

test: say-blas ## run all tests
	$(GO) test $(TAGS) -timeout 90m ./...

# Static binaries, pure Go; windows is left out: directories are locked with flock there.
PLATFORMS ?= linux/amd64 linux/arm64 darwin/amd64 darwin/arm64
VERSION   ?= $(shell git describe --tags --always --dirty 2>/dev/null || echo unknown)

release: ## cross-compile static binaries with checksums, into dist
	@mkdir -p dist && rm -f dist/memobench-* dist/SHA256SUMS
	@for p in $(PLATFORMS); do \
	  name=dist/memobench-$(VERSION)-$${p%/*}-$${p#*/}; echo $$name; \
	  CGO_ENABLED=0 GOOS=$${p%/*} GOARCH=$${p#*/} $(GO) build -trimpath -ldflags '-s -w -X memobench/benchmarks/record.version=$(VERSION)' -o $$name ./cmd/memobench || exit 1; \
	done
	@cd dist && sha256sum memobench-* > SHA256SUMS && cat SHA256SUMS

# Which benchmarks, and what else go test is told: make bench BENCH=TrainStep/model=memo ARGS='-count 6'
BENCH ?= .

bench: say-blas ## run the Go benchmarks; compare two outputs with benchstat
	$(GO) test $(TAGS) -run '^$$' -bench '$(BENCH)' -benchmem -timeout 0 $(ARGS) ./...

# Python with PyTorch (empty: python3 or /usr/bin/python3), threads of each side
# (empty: 1); other flags in ARGS: make bench-peers ARGS='--only memo/pai3',
# ARGS=--speedup for our own two threads beside one.
PYTHON  ?=
THREADS ?=

bench-peers: say-blas ## time a training step of each model beside PyTorch's
	$(GO) -C tools build $(TAGS) -o ../bin/peers ./peers
	$(GO) test $(TAGS) -c -o bin/benchmarks.test ./benchmarks
	./bin/peers $(if $(THREADS),--threads $(THREADS)) --python "$(PYTHON)" $(ARGS)

lint: ## gofmt and go vet, with and without OpenBLAS
	@files=$$($(GOFMT) -l benchmarks cmd datasets models report tools); \
	  if [ -n "$$files" ]; then echo "gofmt -w needed for:"; echo "$$files"; exit 1; fi
	CGO_ENABLED=0 $(GO) vet ./...
	CGO_ENABLED=0 $(GO) -C tools vet ./...
ifeq ($(HAVE_OPENBLAS),yes)
	CGO_ENABLED=1 $(GO) vet -tags openblas ./...
else
	@echo "not vetted with OpenBLAS: it was not found"
endif
