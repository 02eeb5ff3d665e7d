# The targets of this project; `make help` lists them.

export SWIFT ?= swift
# The folder that `make conformance` reads.
SUITE ?= Tests/Conformance
# How long `make fuzz` runs, in seconds.
SECONDS ?= 600
# How often `make torture-scenarios` and `make torture-watching` play all of them.
RUNS ?= 20

# How many texts `make torture-edits` edits for each seed.
EDITS ?= 25000
# How much longer `make torture-sessions` takes than the same in the tests.
FACTOR ?= 100
# How many events the orders have that `make torture-state` walks.
ORDERS ?= 6
# How many thousand replacements `make torture-year` makes, and ten thousand events of other edits.
LAPS ?= 100
# How many processes `make torture-files` kills beside each kind of foreign writer, and `make torture-saving` in all.
KILLS ?= 2000

# A program under the thread sanitizer waits at its end for races that come late: a second, and the tests run thousands.
export TSAN_OPTIONS ?= atexit_sleep_ms=50

# Some tests crash programs on purpose: a backtrace of each would take seconds, and under a sanitizer never ends.
export SWIFT_BACKTRACE ?= enable=no

SESSIONCTL = .build/release/sessionctl
THREAD_SANITIZER = --configuration release -Xswiftc -enable-testing --sanitize thread -Xcc -DTSAN_BUILD \
  --scratch-path .build/thread-sanitizer
RELEASE_TESTS = --configuration release -Xswiftc -enable-testing --scratch-path .build/release-tests

.DEFAULT_GOAL := help
.PHONY: help
help: ## This list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-18s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

.PHONY: toolchain
toolchain:
	@command -v $(SWIFT) >/dev/null || { \
	  echo "The Swift 6.3 toolchain is missing: get it from https://www.swift.org/install and put its bin folder on PATH." >&2; exit 1; }
	@.ci/packages build

.PHONY: build
build: toolchain ## Build the library and sessionctl, optimised
	$(SWIFT) build --configuration release

.PHONY: demo
demo: build ## A service and somebody who edits its settings; KEEP=1 leaves it to your own editor
	@.ci/packages demo
	@KEEP=$(KEEP) Examples/demo/demo.sh $(dir $(SESSIONCTL))

.PHONY: test
test: build ## Run all tests: everybody's form, a few minutes from a fresh clone
	.ci/tests
	.ci/tests $(RELEASE_TESTS)
	.ci/conformance $(SESSIONCTL) Tests/Conformance
	Tests/Newcomer/run.sh
	@echo "All tests passed."

.PHONY: conformance
conformance: build ## Run sessionctl check --strict over SUITE=FOLDER (y_*, n_*, i_* files)
	.ci/conformance $(SESSIONCTL) "$(SUITE)"

.PHONY: torture-scenarios
torture-scenarios: toolchain ## Let every real program of Tests/Scenarios edit a mirrored file, RUNS=20 times in a row
	@.ci/packages scenarios
	Tests/Scenarios/torture.sh sessions $(RUNS)

.PHONY: torture-watching
torture-watching: toolchain ## Play all of them, and those with mounts of their own, before each way to watch, RUNS=20 times
	@.ci/packages scenarios
	Tests/Scenarios/torture.sh watching $(RUNS)

.PHONY: fuzz
fuzz: toolchain ## Feed the parser, then the edits of texts, whatever finds new paths in them, each for SECONDS=600
	Tests/Fuzz/run.sh $(SECONDS) ParserFuzz
	Tests/Fuzz/run.sh $(SECONDS) EditFuzz

.PHONY: fuzz-proof
fuzz-proof: toolchain ## Plant bugs in a copy of the parser and of the editor and see that fuzzing finds them
	Tests/Fuzz/prove.sh

.PHONY: fuzz-coverage
fuzz-coverage: toolchain ## Which lines the fuzzer's corpus reaches
	Tests/Fuzz/coverage.sh

.PHONY: torture-edits
torture-edits: toolchain ## Edit and merge EDITS=25000 random texts for each of four seeds
	SESSIONMIRROR_EDITS=$(EDITS) .ci/tests $(RELEASE_TESTS) --filter 'RandomEditTests|MergeLawTests|LongLifeTests'

.PHONY: pages
pages: toolchain ## Write the pages of the documentation that come from tests
	SESSIONMIRROR_WRITE_PAGES=1 .ci/tests --filter ExamplePageTests

.PHONY: torture-sessions
torture-sessions: toolchain ## Torture sessions under the thread sanitizer, FACTOR=100 times as long as the tests do
	SESSIONMIRROR_TORTURE=$(FACTOR) .ci/tests $(THREAD_SANITIZER) --filter 'SessionMirrorTests.*Torture'

.PHONY: torture-state
torture-state: toolchain ## Walk every order of ORDERS=6 events of saving, and 200,000 random ones of sixty
	SESSIONMIRROR_ORDERS=$(ORDERS) .ci/tests $(RELEASE_TESTS) --filter 'SavingWalkTests|RandomSavingTests'

.PHONY: torture-files
torture-files: RUNS := $(if $(filter file,$(origin RUNS)),10,$(RUNS))
torture-files: toolchain ## Kill KILLS=2000 replacing processes beside each kind of writer; RUNS=10 with nobody killed
	SESSIONMIRROR_KILLS=$(KILLS) SESSIONMIRROR_RUNS=$(RUNS) .ci/tests $(RELEASE_TESTS) \
	  --filter 'DurableFilesTests.*Torture'

.PHONY: torture-saving
torture-saving: KILLS := $(if $(filter file,$(origin KILLS)),500,$(KILLS))
torture-saving: toolchain ## Save from four processes beside sed, RUNS=20 times each; kill KILLS=500 processes that save
	SESSIONMIRROR_KILLS=$(KILLS) SESSIONMIRROR_RUNS=$(RUNS) .ci/tests $(RELEASE_TESTS) \
	  --filter 'SessionMirrorTests.Saving.*Torture'

.PHONY: torture-year
torture-year: toolchain ## Send LAPS=100 thousand replacements and ten times as many events through one watch, each way
	SESSIONMIRROR_LAPS=$(LAPS) .ci/tests $(RELEASE_TESTS) --filter 'FileWatchingTests.YearTests'

.PHONY: race-proof
race-proof: toolchain ## Plant races in a copy of the sources and see that the torture finds them
	Tests/Races/prove.sh

.PHONY: bench
bench: toolchain ## Measure everything beside its competitors, print the ratios and draw .build/benchmarks/*.svg
	@.ci/packages bench
	Benchmarks/run.sh

.PHONY: sanitize
sanitize: sanitize-thread sanitize-address ## Run the tests under the thread and the address sanitizer

# Optimised: both sanitizers find the same there, in a fraction of the time.
.PHONY: sanitize-thread
sanitize-thread: toolchain
	.ci/tests $(THREAD_SANITIZER)

.PHONY: sanitize-address
sanitize-address: toolchain
	.ci/tests --configuration release -Xswiftc -enable-testing --sanitize address --scratch-path .build/address-sanitizer --disable-xctest

.PHONY: lint
lint: ## Check the layout of all sources and the shell scripts
	@.ci/packages lint
	swift-format lint --strict --recursive --parallel Package.swift Sources Tests Examples Benchmarks
	shellcheck $$(git ls-files --cached --others --exclude-standard | xargs grep --directories=skip --files-with-matches '^#!.*sh$$')

.PHONY: format
format: ## Lay out all sources
	swift-format format --in-place --recursive --parallel Package.swift Sources Tests Examples Benchmarks

.PHONY: documentation
documentation: toolchain ## Build the documentation into .build/documentation
	@.ci/packages scenarios
	.ci/documentation

.PHONY: clean
clean: ## Remove everything that was built
	rm -rf .build Benchmarks/.build Tests/Fuzz/.build
