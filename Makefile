# `make help` lists the targets.

export SWIFT ?= swift
# The directory for `make conformance`.
SUITE ?= Tests/Conformance
# The duration of each fuzzer of `make fuzz`, in seconds.
SECONDS ?= 600
# The number of runs of `make torture-scenarios`, `torture-watching` and `torture-saving`; by default 10 for
# `torture-files`.
RUNS ?= 20

# The number of texts per seed of `make torture-edits`.
EDITS ?= 25000
# The number of steps of `make torture-steps`, in part and in full each.
STEPS ?= 1000000
# The factor by which `make torture-sessions` exceeds the normal tests.
FACTOR ?= 100
# The length of the event sequences that `make torture-state` enumerates.
ORDERS ?= 5
# Thousands of replacements, and tens of thousands of events, of `make torture-year`.
LAPS ?= 100
# The number of commits of each process, and of machines, of `make torture-fleet`.
COMMITS ?= 500
MACHINES ?= 500
# The number of processes to kill: by `make torture-files` for each kind of other writer; by default, `torture-saving`
# kills 500 in all, `torture-objects` 200 and `torture-orders` 20.
KILLS ?= 2000

# The directory below which `make install` installs, and a directory that stands for / meanwhile. With PROGRAM, it
# installs that program instead of building one; BUILD_OPTIONS are options of the build, such as --disable-default-traits.
# With SESSIONMIRROR_FLEET=0 in the environment, it leaves out the program of sessionctl that needs libcurl.
install uninstall: export PREFIX ?= /usr/local
install uninstall: export DESTDIR ?=
install: export PROGRAM ?=
install installable: export BUILD_OPTIONS ?=

# The length of each run of `make bench-service`, and their number.
LOAD_SECONDS ?= 30
LOAD_RUNS ?= 3

# At exit, a program under the thread sanitizer waits one second for late races; the tests run thousands of programs.
export TSAN_OPTIONS ?= atexit_sleep_ms=50

# Some tests crash programs on purpose: a backtrace takes seconds, and under a sanitizer never finishes.
export SWIFT_BACKTRACE ?= enable=no

# The builds of the tests. Each is in a directory of its own, and serves several targets.
# Nobody debugs the optimized one, and a module file from a job of its own would be the result of reading the module twice:
# together a seventh of the time to compile.
ONE_JOB = --configuration release -Xswiftc -enable-testing -Xswiftc -no-emit-module-separately-wmo
OPTIMIZED = $(ONE_JOB) -Xswiftc -gnone --scratch-path .build/optimized
# Optimized, because unoptimized code of the parser takes five times as long with it.
ADDRESS_SANITIZER = $(ONE_JOB) --sanitize address --scratch-path .build/address-sanitizer
# For unoptimized builds that nobody repeats after a change: a quarter less time than compiling files in batches.
WHOLE_MODULES = -Xswiftc -whole-module-optimization -Xswiftc -num-threads -Xswiftc 2 -Xswiftc -no-emit-module-separately-wmo
THREAD_SANITIZER = $(WHOLE_MODULES) --sanitize thread -Xcc -DTSAN_BUILD --scratch-path .build/thread-sanitizer
# The modules in whose tests each sanitizer can find something; those of SESSIONMIRROR_TARGETS instead, if it is set.
THREADED_TESTS = EtcdClientTests EtcdTestSupportTests FileWatchingTests LockingTests ObjectStoreTests SessionMirrorTests \
  StoredValuesTests
UNSAFE_TESTS = DurableFilesTests LosslessJSONTests StandardFoldersTests
THREAD_SANITIZED = SESSIONMIRROR_TARGETS="$${SESSIONMIRROR_TARGETS-$(THREADED_TESTS)}" Scripts/test.sh
ADDRESS_SANITIZED = SESSIONMIRROR_TARGETS="$${SESSIONMIRROR_TARGETS-$(UNSAFE_TESTS)}" Scripts/test.sh
# The optimized build, if there is one: for targets that need any build of the tests.
EXISTING = $(if $(wildcard .build/optimized),$(OPTIMIZED))

# Why `make bench-accept` changes the table.
bench-accept: export REASON ?=

.DEFAULT_GOAL := help
.PHONY: help
help: ## List the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-21s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

.PHONY: toolchain
toolchain:
	@command -v $(SWIFT) >/dev/null || { \
	  echo "The Swift 6.3 toolchain is missing: install it from https://www.swift.org/install and add its bin directory to PATH." >&2; exit 1; }
	@Scripts/packages.sh build

.PHONY: build
build: toolchain ## Build the library and sessionctl, optimized
	@Scripts/packages.sh fleet
	$(SWIFT) build --configuration release

.PHONY: installable
installable: toolchain ## Build what `make install` installs, without installing it: sessionctl with the Swift runtime
	Scripts/install.sh build

.PHONY: install
install: ## Install sessionctl, its manual and completions below PREFIX=/usr/local; DESTDIR= stands for /
	Scripts/install.sh install

.PHONY: uninstall
uninstall: ## Remove what `make install` has installed below PREFIX=/usr/local
	Scripts/install.sh uninstall

.PHONY: function-order
function-order: toolchain ## Record the functions that an edit needs into Scripts/function-order.txt, for the linker
	@Scripts/packages.sh bench
	SYMBOLS=yes SESSIONMIRROR_FLEET=0 SCRATCH=.build/function-order/default Scripts/install.sh build
	SYMBOLS=yes SESSIONMIRROR_FLEET=0 SCRATCH=.build/function-order/package BUILD_OPTIONS=--disable-default-traits Scripts/install.sh build
	Scripts/function_order.py .build/function-order/*/release/sessionctl >.build/function-order/list
	mv .build/function-order/list Scripts/function-order.txt

.PHONY: deb
deb: toolchain ## Build and check .build/sessionctl*.deb, Debian packages of sessionctl without libinotifytools
	@Scripts/packages.sh package
	Scripts/deb.sh

.PHONY: check-deb
check-deb: deb ## Install that package in a small Debian system of its own, use it and remove it; needs root
	@Scripts/packages.sh root
	Scripts/check-deb.sh

.PHONY: demo
demo: $(if $(PROGRAMS),toolchain,build) ## Show a service whose settings are edited; KEEP=1 keeps it running for your own editor
	@Scripts/packages.sh demo service
	@live=$$(Examples/LiveService/build.sh) && \
	  KEEP=$(KEEP) Examples/demo/demo.sh "$$live" $(or $(PROGRAMS),.build/release)/sessionctl

.PHONY: demo-fleet
demo-fleet: toolchain ## Show three machines that share their settings through etcd, while some of it is killed
	@Scripts/packages.sh fleet cluster
	$(if $(PROGRAMS),,SESSIONMIRROR_TARGETS=fleet $(SWIFT) build --configuration release)
	Examples/demo/fleet.sh $(or $(PROGRAMS),.build/release)/fleet

# The tests of the service wait more than half of their time, so they run beside others.
.PHONY: test test-unoptimized
test: toolchain ## Run all tests, unoptimized and optimized; with SANITIZED=1 under sanitizers instead of unoptimized
	@Scripts/packages.sh fleet service
	$(MAKE) --no-print-directory --jobs 2 --output-sync=target test-builds
	$(MAKE) --no-print-directory --jobs 2 --output-sync=target $(if $(SANITIZED),sanitize,test-unoptimized) test-service
	Scripts/test.sh $(OPTIMIZED)
	Scripts/conformance.sh .build/optimized/release/sessionctl Tests/Conformance
	Scripts/check-install.sh .build/optimized/release/sessionctl
	Tests/Newcomer/run.sh
	Tests/Newcomer/programs.sh
	Scripts/function_order.py --check Scripts/function-order.txt .build/optimized/release/sessionctl
	@echo "All tests passed."

test-unoptimized:
	Scripts/test.sh

# What `make test` builds. A build compiles its large modules one after the other, so two builds take less time side by
# side; those that take longest come first.
.PHONY: test-builds build-optimized build-address build-thread build-unoptimized build-service build-newcomer build-programs
test-builds: build-optimized $(if $(SANITIZED),build-address build-thread,build-unoptimized) build-service build-programs \
  build-newcomer
build-optimized:
	Scripts/test.sh --build $(OPTIMIZED)
build-address:
	$(ADDRESS_SANITIZED) --build $(ADDRESS_SANITIZER)
build-thread:
	$(THREAD_SANITIZED) --build $(THREAD_SANITIZER)
build-unoptimized:
	Scripts/test.sh --build
build-service:
	Examples/LiveService/build.sh
build-newcomer:
	Tests/Newcomer/run.sh --build
build-programs:
	Tests/Newcomer/programs.sh --build

.PHONY: test-service
test-service: toolchain ## Build and test the live service, with its page if a browser is installed
	@Scripts/packages.sh service
	Examples/LiveService/test.sh

.PHONY: screenshots
screenshots: toolchain ## Write pictures of the page in all states to .build/screenshots, and the one that README shows
	@Scripts/packages.sh service browser
	LIVESERVICE_SCREENSHOTS=$(CURDIR)/.build/screenshots Examples/LiveService/test.sh test_looks
	cp .build/screenshots/tenants-light-1024.png Examples/LiveService/page.png

.PHONY: conformance
conformance: build ## Run sessionctl check --strict on SUITE=DIRECTORY (y_*, n_*, i_* files)
	Scripts/conformance.sh .build/release/sessionctl "$(SUITE)"

.PHONY: torture-scenarios
torture-scenarios: toolchain ## Run the scenarios of real programs against sessions, RUNS=20 times
	@Scripts/packages.sh scenarios
	Tests/Scenarios/torture.sh sessions $(RUNS)

.PHONY: torture-watching
torture-watching: toolchain ## Run all scenarios, including mounts, against each watch backend, RUNS=20 times
	@Scripts/packages.sh scenarios
	Tests/Scenarios/torture.sh watching $(RUNS)

.PHONY: fuzz
fuzz: toolchain ## Fuzz the parser, text edits, next versions and messages, each for SECONDS=600
	for target in ParserFuzz EditFuzz ReparseFuzz MessageFuzz; do Tests/Fuzz/run.sh $(SECONDS) $$target || exit; done

.PHONY: fuzz-proof
fuzz-proof: toolchain ## Check that the fuzzers find bugs planted in a copy of the sources
	Tests/Fuzz/prove.sh

.PHONY: fuzz-coverage
fuzz-coverage: toolchain ## Report the line coverage of the fuzzing corpus
	Tests/Fuzz/coverage.sh

.PHONY: torture-edits
torture-edits: toolchain ## Edit, merge and reparse EDITS=25000 random texts for each seed
	SESSIONMIRROR_EDITS=$(EDITS) Scripts/test.sh --filter 'RandomEditTests|MergeLawTests|LongLifeTests|ReparsingInPartTests|ReparsingPlacesTests|EditingFromMarksTests|JSONObjectSplicingTests|EncodingFromSourceTests' $(OPTIMIZED)

.PHONY: torture-steps
torture-steps: toolchain ## Make STEPS=1000000 random steps of sessions of random types, in part and in full
	SESSIONMIRROR_STEPS=$(STEPS) Scripts/test.sh --filter RandomStepsTests $(OPTIMIZED)

.PHONY: pages
pages: toolchain ## Write the documentation page of editing examples, generated from the tests, to .build/pages
	rm -rf .build/pages
	SESSIONMIRROR_PAGES=$(CURDIR)/.build/pages Scripts/test.sh --filter ExamplePageTests $(EXISTING)

.PHONY: torture-sessions
torture-sessions: toolchain ## Stress sessions under the thread sanitizer, FACTOR=100 times as long as the tests
	SESSIONMIRROR_TORTURE=$(FACTOR) Scripts/test.sh --filter 'SessionMirrorTests.*Torture' $(THREAD_SANITIZER)

.PHONY: torture-state
torture-state: toolchain ## Enumerate all sequences of ORDERS=5 events of saving, and 60,000 random ones of 60
	SESSIONMIRROR_ORDERS=$(ORDERS) Scripts/test.sh --filter 'SavingWalkTests|SyncStateWalkTests|RandomSavingTests' $(OPTIMIZED)

.PHONY: torture-files
torture-files: RUNS := $(if $(filter file,$(origin RUNS)),10,$(RUNS))
torture-files: toolchain ## Kill KILLS=2000 replacing processes per kind of concurrent writer; RUNS=10 runs without kills
	SESSIONMIRROR_KILLS=$(KILLS) SESSIONMIRROR_RUNS=$(RUNS) \
	  Scripts/test.sh --filter 'DurableFilesTests.*Torture' $(OPTIMIZED)

.PHONY: torture-saving
torture-saving: KILLS := $(if $(filter file,$(origin KILLS)),500,$(KILLS))
torture-saving: toolchain ## Save from four processes beside sed, RUNS=20 times each; kill KILLS=500 saving processes
	SESSIONMIRROR_KILLS=$(KILLS) SESSIONMIRROR_RUNS=$(RUNS) SESSIONMIRROR_EDITOR_SECONDS=120 \
	  Scripts/test.sh --filter 'SessionMirrorTests.(Saving.*Torture|ConcurrentEditorTests)' $(OPTIMIZED)

.PHONY: torture-objects
torture-objects: KILLS := $(if $(filter file,$(origin KILLS)),200,$(KILLS))
torture-objects: toolchain ## Kill KILLS=200 processes that save, load and remove objects of one store
	SESSIONMIRROR_KILLS=$(KILLS) Scripts/test.sh --filter 'ObjectStoreTests.*Torture' $(OPTIMIZED)

.PHONY: torture-fleet
torture-fleet: toolchain ## Make COMMITS=500 commits from each of six processes of a fleet with faults; restart the store of MACHINES=500
	@Scripts/packages.sh cluster
	SESSIONMIRROR_FLEET=$(COMMITS) SESSIONMIRROR_CROWD=$(MACHINES) \
	  Scripts/test.sh --filter 'FleetSessionTests.*(Torture|Crowd)' $(OPTIMIZED)

.PHONY: torture-year
torture-year: toolchain ## Send LAPS=100 thousand replacements and a million events through a watch of each backend
	SESSIONMIRROR_LAPS=$(LAPS) Scripts/test.sh --filter 'FileWatchingTests.EnduranceTests' $(OPTIMIZED)

.PHONY: race-proof
race-proof: toolchain ## Check that the stress tests find races planted in a copy of the sources
	Tests/Races/prove.sh

.PHONY: release-check
release-check: ## Run all long checks, some hours: before a version is tagged
	Scripts/release-check.sh

.PHONY: without-inotifytools
without-inotifytools: toolchain ## Build and watch without libinotifytools and ncurses, where neither can be found
	@Scripts/packages.sh scenarios
	Scripts/without-inotifytools.sh $(WHOLE_MODULES)

.PHONY: machine-code
machine-code: toolchain ## Check the machine code of a read: no reference counting, no allocation
	@Scripts/packages.sh bench
	Benchmarks/disassemble.sh

.PHONY: bench-counts
bench-counts: toolchain ## Count instructions, allocations and system calls of the hot paths; compare with Benchmarks/Baseline
	@Scripts/packages.sh bench
	Benchmarks/counts.sh check

.PHONY: bench-accept
bench-accept: toolchain ## Write what the hot paths cost now into Benchmarks/Baseline and the documentation, with REASON="why"
	@Scripts/packages.sh bench
	Benchmarks/counts.sh accept "$$REASON"
	/usr/bin/python3 Benchmarks/quoted_numbers.py --write

.PHONY: build-counts
build-counts:
	Benchmarks/counts.sh build

.PHONY: bench-counts-proof
bench-counts-proof: toolchain ## Check that bench-counts finds costs planted in a copy of the sources
	@Scripts/packages.sh bench
	Benchmarks/prove-counts.sh

.PHONY: bench
bench: toolchain ## Run the benchmarks with competitors, print ratios and append to Benchmarks/History
	@Scripts/packages.sh bench
	Benchmarks/run.sh

.PHONY: bench-report
bench-report: ## Write the report of the last full run, and its numbers into the documentation
	@Scripts/packages.sh bench
	/usr/bin/python3 Benchmarks/page.py
	/usr/bin/python3 Benchmarks/quoted_numbers.py --write

.PHONY: bench-age
bench-age: ## Check that nothing that is measured has changed since the report
	@/usr/bin/python3 Benchmarks/quoted_numbers.py --age

.PHONY: bench-tests
bench-tests: ## Test the scripts that count, compare and report
	@Scripts/packages.sh bench
	/usr/bin/python3 -m unittest discover --start-directory Benchmarks/Tests

# Of `make bench-compare`: the other revision, the number of processes for each program and side, a regular expression of
# cases, a file that keeps the times, and whether a slower case is a failure. Passed in the environment, as they are.
bench-compare bench-compare-proof: export BASE ?=
bench-compare: export ROUNDS ?= 10
bench-compare: export CASES ?=
bench-compare: export JSON ?=
bench-compare: export STRICT ?=

.PHONY: bench-compare
bench-compare: toolchain ## Compare with BASE=revision; ROUNDS=30 to see a tenth (10 do not); CASES=regex; STRICT=1 fails if slower
	@[ -n "$$BASE" ] || { echo "Give the revision to compare with: make bench-compare BASE=main" >&2; exit 2; }
	@Scripts/packages.sh bench
	@/usr/bin/python3 Benchmarks/compare.py "$$BASE" --rounds "$$ROUNDS" $${CASES:+--cases "$$CASES"} \
	  $${JSON:+--json "$$JSON"} $${STRICT:+--strict}

.PHONY: bench-compare-proof
bench-compare-proof: toolchain ## Check that bench-compare finds planted slowdowns, and none between BASE=HEAD and itself
	@Scripts/packages.sh bench
	Benchmarks/prove-compare.sh

.PHONY: torture-orders
torture-orders: KILLS := $(if $(filter file,$(origin KILLS)),20,$(KILLS))
torture-orders: build ## Number 10,000 orders in one file by two services and sessionctl; kill KILLS=20 services
	@Scripts/packages.sh service
	SESSIONCTL=$(CURDIR)/.build/release/sessionctl LIVESERVICE_KILLS=$(KILLS) LIVESERVICE_ORDERS=10000 \
	  Examples/LiveService/test.sh test_lifetime.Orders

.PHONY: bench-service
bench-service: toolchain ## Load the live service while its settings are edited: LOAD_SECONDS=30 for each of 2 × LOAD_RUNS=3
	@Scripts/packages.sh bench service
	Examples/LiveService/load.sh $(LOAD_SECONDS) $(LOAD_RUNS)

.PHONY: sanitize
sanitize: ## Run under each sanitizer the tests in which it can find something
	$(MAKE) --no-print-directory sanitize-thread
	$(MAKE) --no-print-directory sanitize-address

.PHONY: sanitize-thread
sanitize-thread: toolchain
	$(THREAD_SANITIZED) $(THREAD_SANITIZER)

.PHONY: sanitize-address
sanitize-address: toolchain
	$(ADDRESS_SANITIZED) $(ADDRESS_SANITIZER)

# The leak sanitizer does not see references in the high bits of enumerations, such as a static variable with JSON, nor that
# of an object to the table of its weak references. So leaks are looked for where there are none of them: sanitize-address.
.PHONY: sanitize-all
sanitize-all: ## Run all tests under each sanitizer, without looking for leaks
	SESSIONMIRROR_TARGETS=all ASAN_OPTIONS=detect_leaks=0 $(MAKE) sanitize

.PHONY: lint
lint: ## Check formatting, shell scripts, vocabulary, the numbers of the documentation, the tests named by the threat model, and the lines of the proofs
	@Scripts/packages.sh lint
	$(SWIFT) format lint --strict --recursive --parallel Package.swift Sources Tests Examples Benchmarks
	shellcheck $$(git ls-files --cached --others --exclude-standard | xargs grep --directories=skip --files-with-matches '^#!.*sh$$')
	python3 Scripts/claims.py Sources/SessionMirror/Documentation.docc/ThreatModel.md Tests
	python3 Scripts/vocabulary.py Sources Tests Examples Benchmarks
	python3 Benchmarks/quoted_numbers.py --check
	Tests/Fuzz/prove.sh --lines
	Tests/Races/prove.sh --lines
	Benchmarks/prove-counts.sh --lines
	Benchmarks/prove-compare.sh --lines

.PHONY: format
format: ## Format all sources
	$(SWIFT) format --in-place --recursive --parallel Package.swift Sources Tests Examples Benchmarks

.PHONY: documentation
documentation: pages ## Build the documentation into .build/documentation
	@Scripts/packages.sh documentation
	Scripts/documentation.sh "$$($(SWIFT) build $(EXISTING) --show-bin-path)"

.PHONY: clean
clean: ## Remove all build products
	rm -rf .build Benchmarks/.build Examples/LiveService/.build Tests/Fuzz/.build Tests/Newcomer/.build
