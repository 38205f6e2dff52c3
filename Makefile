# Every word of this project. The logic lives in the commands and in .ci/, not here.

MAKEFLAGS += --no-print-directory
.NOTPARALLEL:
.DEFAULT_GOAL := words

# Programs and tests are one build in one place, so that nothing is compiled twice; scripts take the programs from there.
export BUILT := .build/release
BUILD := swift build -c release
BUILD_TESTS := $(BUILD) --build-tests --explicit-target-dependency-import-check error
RUN_TESTS := swift test -c release --skip-build
SWIFT_SOURCES := Package.swift Sources Tests

.PHONY: words run serve test prove release check format golden sample docs sbom programs bench bench-serve bench-stress setup \
	format-check tests-built

words: ## list these words
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-12s %s\n", $$1, $$2 }' Makefile

run: ## build the program, publish generated trips into data/mart/demo, show their KPIs
	@.ci/setup program
	@$(BUILD) --product triptych
	@.ci/demo

serve: ## serve what make run published, with demo accounts, on this machine
	@.ci/setup program
	@$(BUILD) --product triptych-server
	@$(BUILT)/triptych-server serve --demo --mart $${TRIPTYCH_MART:-data/mart/demo}

test: tests-built ## build everything, run all tests, tell their time; KEEP=1 keeps the databases they make
	@.ci/test

prove: ## show what is slow by nature, for the table of docs/PROOFS.md: ONLY="defects fuzz" make prove
	@.ci/setup proofs
	@$(BUILD_TESTS)
	@.ci/prove $(ONLY)

release: ## the dashboard's release checklist, row by row: what shows it, and whether it holds
	@.ci/setup proofs
	@$(BUILD_TESTS)
	@.ci/release

check: format-check tests-built ## what a reviewer runs: format, imports, warnings, house rules
	@git ls-files --cached --ignored --exclude-standard | sed 's/$$/: ignored, and yet in the history/' | (! grep .)
	@$(RUN_TESTS) --filter TidyTests

format: ## rewrite the sources in the project's format
	@swift format --in-place --recursive --parallel $(SWIFT_SOURCES)

golden: tests-built ## rewrite the expectations of the command cases; git diff is the review
	@GOLDEN=1 $(RUN_TESTS) --filter CommandCaseTests
	@git status --short Tests/CommandTests

sample: ## rewrite data/sample and data/reference from their seed
	@$(BUILD) --product triptych
	@.ci/sample

docs: ## rewrite the pages that come from the programs themselves
	@$(BUILD)
	@.ci/commands-page > docs/COMMANDS.md.new && mv docs/COMMANDS.md.new docs/COMMANDS.md
	@.ci/contract-page > contract.html.new && mv contract.html.new Sources/TripServer/SignIn/Pages/contract.html
	@git status --short docs Sources

sbom: ## list what the programs are built from, as CycloneDX
	@.ci/setup program
	@.ci/sbom

programs: ## build triptych and triptych-server as they are installed
	@.ci/setup program
	@$(BUILD)

bench: ## compare with other engines: OPTIONS="--sizes T" make bench
	@$(BUILD) --product triptych
	@Benchmarks/run.sh compare.py $(OPTIONS)

bench-serve: ## measure the server beside Datasette, 10 M trips: OPTIONS="--size S" make bench-serve
	@.ci/setup serving
	@$(BUILD)
	@Benchmarks/run.sh serve.py $(OPTIONS)

bench-stress: ## what the server does under stress: OPTIONS="idle slow --write" make bench-stress
	@.ci/setup tests
	@.ci/setup serving
	@$(BUILD)
	@Benchmarks/run.sh stress.py $(OPTIONS)

setup: ## install what building and testing need, or say what is missing
	@.ci/setup tests

# Words that are given together set up and build once. What is in another format is found before the build.
format-check: setup
	@swift format lint --strict --recursive --parallel $(SWIFT_SOURCES)

tests-built: setup
	@$(BUILD_TESTS)
