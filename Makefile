# The daily work; `make help` lists the targets.

SHELL := /bin/bash -o pipefail
.DEFAULT_GOAL := help

# The Debian packages that the tests need: a Postgres and an nginx of their own, a C compiler for -race, the check
# of docker-compose.yml, a browser, and what the README's commands use. Node isn't among them: Debian 12's is too
# old for what builds the browser client.
PACKAGES = postgresql nginx-light gcc libc6-dev docker-compose chromium curl jq

# Where root is needed: nothing for root, sudo for anyone else.
SUDO = $(shell [ "$$(id -u)" = 0 ] || echo sudo)

VERSION = $(shell git describe --tags --always --dirty 2>/dev/null)

FUZZTIME ?= 3m
KILLS ?= 50

.PHONY: help
help: ## list the targets
	@sed -n 's/^\([a-z-]*\):.*## /\1\t/p' $(MAKEFILE_LIST) | sort | while IFS=$$'\t' read -r name what; do printf '  make %-10s %s\n' "$$name" "$$what"; done

.PHONY: run
run: ## start the server on http://localhost:8080 with ./cruel.db
	go run ./cmd/cruel serve

.PHONY: build
build: ## build the static binary bin/cruel
	CGO_ENABLED=0 go build -trimpath -ldflags '-s -w -X main.version=$(VERSION)' -o bin/cruel ./cmd/cruel

.PHONY: deps
deps: packages web/node_modules/.package-lock.json ## install what the tests need and what is missing

.PHONY: packages
packages:
	@missing=; for p in $(PACKAGES); do \
		[ "$$(dpkg-query -W -f '$${db:Status-Status}' $$p 2>/dev/null)" = installed ] || missing="$$missing $$p"; \
	done; \
	if [ -z "$$missing" ]; then echo 'deps: nothing is missing of: $(PACKAGES)'; exit; fi; \
	echo "deps: missing:$$missing"; \
	if ! command -v apt-get >/dev/null; then echo 'deps: there is no apt-get here; install them in the way of this system'; exit; fi; \
	export DEBIAN_FRONTEND=noninteractive; \
	$(SUDO) apt-get update -qq && $(SUDO) apt-get install -qq --no-install-recommends $$missing </dev/null

web/node_modules/.package-lock.json: web/package.json web/package-lock.json
	@node -e 'const [major, minor] = process.versions.node.split("."); process.exit(+major > 20 || (+major == 20 && +minor >= 19) ? 0 : 1)' || \
		{ echo 'deps: the browser client needs Node 20.19 or newer (https://nodejs.org); the server needs none'; exit 1; }
	cd web && npm ci
	@touch $@

.PHONY: test
test: deps style compose ## run all checks and tests, with a Postgres of their own
	go run ./db/dbtest/postgres -- go test -race -timeout 20m ./...
	go test -run TestThousand ./api
	GOARCH=386 go test ./engine ./replay
	$(MAKE) --no-print-directory web-test

.PHONY: web
web: web/node_modules/.package-lock.json ## build the browser client into web/dist, which is committed
	cd web && npm run build

.PHONY: web-test
web-test: deps web ## check and test the browser client, its pages in Chromium
	cd web && npm run format && npm run check && npm test
	go build -o bin/testserver ./cmd/testserver
	cd web && npm run e2e

.PHONY: style
style: ## gofumpt, go vet, staticcheck
	@files=$$(go tool gofumpt -l .); [ -z "$$files" ] || { echo "not formatted by gofumpt:"; echo "$$files"; exit 1; }
	go vet ./...
	go tool staticcheck ./...

.PHONY: compose
compose: ## check docker-compose.yml; needs no Docker engine
	POSTGRES_PASSWORD=x docker-compose -f docker-compose.yml config -q

.PHONY: generate
generate: web/node_modules/.package-lock.json ## write what is generated from openapi.yaml anew, for Go and for TypeScript
	go tool oapi-codegen -config api/oapi-codegen.yaml openapi.yaml
	cd web && npm run generate

.PHONY: verify
verify: ## generate and build anew; fail where that, or go.mod, wasn't what its source says
	@rm -rf bin/.before && mkdir -p bin/.before && cp -r api/api.gen.go web/src/api/schema.gen.ts web/dist bin/.before
	$(MAKE) --no-print-directory generate web
	diff -u bin/.before/api.gen.go api/api.gen.go
	diff -u bin/.before/schema.gen.ts web/src/api/schema.gen.ts
	diff -r bin/.before/dist web/dist
	@rm -r bin/.before
	go mod tidy -diff

.PHONY: lint
lint: bin/golangci-lint ## golangci-lint; the first time it builds it, which takes minutes
	bin/golangci-lint run

bin/golangci-lint: tools/go.mod tools/go.sum
	cd tools && go build -o ../$@ github.com/golangci/golangci-lint/v2/cmd/golangci-lint

.PHONY: fuzz
fuzz: ## run each fuzz target for FUZZTIME (3m), one after the other
	@grep -r --include='*_test.go' -o '^func Fuzz[A-Za-z0-9]*' . | sort | sed 's|/[^/]*:func | |' | while read -r package name; do \
		echo "fuzz: $$package $$name"; \
		go test -run '^$$' -fuzz "^$$name$$" -fuzztime $(FUZZTIME) $$package </dev/null || exit 1; \
	done

.PHONY: bench
bench: packages build ## run the benchmarks: the verifier, the solver, submissions against pgbench and bare gin, races
	bench/run

.PHONY: kill
kill: ## kill -9 the server in mid-write, KILLS (50) times; nothing acknowledged may be lost
	CRUEL_TEST_KILLS=$(KILLS) go run ./db/dbtest/postgres -- go test -count 1 -timeout 1h -run TestKill -v ./cmd/cruel
