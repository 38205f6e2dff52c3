# Every word of this project. The logic lives in the commands and in .ci/, not here.

MAKEFLAGS += --no-print-directory
.NOTPARALLEL:
.DEFAULT_GOAL := words

# Every build of the tests is the same one, so that nothing is built twice: with its imports checked, its lines counted and its
# assertions kept, and optimized: on two cores (swift 6.3, November 2026) it is built in 14 minutes rather than 9, and all tests
# take 9 rather than 22.
OPTIMIZED := -Xcc -O2 -Xswiftc -O -Xswiftc -assert-config -Xswiftc Debug
BUILD_TESTS := swift build --build-tests --enable-code-coverage --explicit-target-dependency-import-check error $(OPTIMIZED)
RUN_TESTS := swift test --skip-build --enable-code-coverage
# Both at once: a module that waits for others leaves a core to the other program's.
BUILD_PROGRAMS := swift build -c release
SWIFT_SOURCES := Package.swift Sources Tests

.PHONY: words run test test-traits coverage programs sbom counts check release format golden sample docs bench bench-serve bench-stress serve fuzz fuzz-bytes setup

words: ## list these words
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-11s %s\n", $$1, $$2 }' Makefile

run: ## build the program, publish the sample into data/mart/demo, show its KPIs
	@.ci/setup program
	@swift build -c release --product triptych
	@.ci/demo

test: ## build everything, run all tests, count the lines they run; KEEP=1 keeps the databases they make
	@.ci/setup tests
	@$(BUILD_TESTS)
	@rm -rf .build/debug/codecov .build/debug/codecov-programs
	@$(RUN_TESTS)
	@.ci/coverage

coverage: ## which lines of which files the last make test left out
	@.ci/coverage --files

test-traits: ## run the tests of reading with each optional trait
	@.ci/setup traits
	@ENGINE_ALONE=1 $(BUILD_TESTS) --traits Libdeflate
	@ENGINE_ALONE=1 $(RUN_TESTS) --traits Libdeflate --filter 'TripEngineTests\.(Gzip|Whole|Byte|Record|Export)'

programs: ## build triptych and triptych-server as they are installed
	@.ci/setup program
	@$(BUILD_PROGRAMS)

sbom: ## list what the programs are built from, as CycloneDX
	@.ci/setup program
	@.ci/sbom

counts: ## count the instructions a trip costs, against the known ones
	@.ci/setup counts
	@swift build -c release --product triptych
	@python3 Benchmarks/instructions.py

check: ## what a reviewer runs: format, imports, warnings, house rules
	@.ci/setup tests
	@git ls-files --cached --ignored --exclude-standard | sed 's/$$/: ignored, and yet in the history/' | (! grep .)
	@swift format lint --strict --recursive --parallel $(SWIFT_SOURCES)
	@$(BUILD_TESTS)
	@$(RUN_TESTS) --filter TidyTests

release: ## what is looked at before a release: access, patients, what is kept, penetration
	@.ci/setup tests
	@$(BUILD_TESTS)
	@.ci/release

format: ## rewrite the sources in the project's format
	@swift format --in-place --recursive --parallel $(SWIFT_SOURCES)

golden: ## rewrite the expectations of the command cases; git diff is the review
	@.ci/setup tests
	@$(BUILD_TESTS)
	@GOLDEN=1 $(RUN_TESTS) --filter CommandTests
	@git status --short Tests/CommandTests

sample: ## rewrite data/sample and data/reference from their seed
	@swift build -c release --product triptych
	@.ci/sample

docs: ## rewrite the pages that come from the programs themselves
	@$(BUILD_PROGRAMS)
	@.ci/commands-page > docs/COMMANDS.md.new && mv docs/COMMANDS.md.new docs/COMMANDS.md
	@.ci/contract-page > contract.html.new && mv contract.html.new Sources/TripServer/SignIn/Pages/contract.html
	@git status --short docs Sources

bench: ## compare with other engines: OPTIONS="--sizes T" make bench
	@swift build -c release --product triptych
	@Benchmarks/run.sh compare.py $(OPTIONS)

bench-serve: ## measure the server beside Datasette, 10 M trips: OPTIONS="--size S" make bench-serve
	@.ci/setup serving
	@$(BUILD_PROGRAMS)
	@Benchmarks/run.sh serve.py $(OPTIONS)

bench-stress: ## what the server does under stress: OPTIONS="idle slow --write" make bench-stress
	@.ci/setup tests
	@.ci/setup serving
	@$(BUILD_PROGRAMS)
	@Benchmarks/run.sh stress.py $(OPTIONS)

serve: ## serve what make run published, with demo accounts, on this machine
	@.ci/setup program
	@swift build -c release --product triptych-server
	@.build/release/triptych-server serve --demo --mart $${TRIPTYCH_MART:-data/mart/demo}

fuzz: ## throw 20,000 requests and more at the server, by its contract
	@.ci/setup tests
	@$(BUILD_PROGRAMS)
	@.ci/fuzz

fuzz-bytes: ## throw bytes at what reads them in the server: SECONDS_EACH=60 make fuzz-bytes
	@.ci/setup program
	@.ci/fuzz-bytes

setup: ## install what building and testing need, or say what is missing
	@.ci/setup tests
