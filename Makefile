# Sparring. `make help` lists what can be done.
SHELL := /bin/bash
PREFIX ?= /usr/local
SUDO := $(shell [ "$$(id -u)" = 0 ] || echo sudo)
PEERS := .build/peers/bin/python
SUITES := .build/suites/fetched
PAGE := .build/page/bin/python
CHROMIUM ?= $(firstword $(foreach name,chromium chromium-browser google-chrome,$(shell command -v $(name))))
APT = $(SUDO) env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq
SOURCES = Sources Tests Package.swift
# What the tests run is optimised where it matters (Package.swift), in a folder of its own: `make run` and an editor build without, in half the time.
# `whole` compiles more of it at once: for machines that build but once, as CI's.
export SPARRING_OPTIMISED ?= 1
BUILD = swift build --scratch-path .build-test
TESTED = .build-test/debug

.DEFAULT_GOAL := help

.PHONY: help
help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-10s %s\n", $$1, $$2}' Makefile

.PHONY: run
run: deps ## build, and serve on 127.0.0.1:8080 with a demo sandbox
	env -u SPARRING_OPTIMISED swift build --product sparring
	exec .build/debug/sparring serve

.PHONY: test
test: deps peers $(SUITES) ## run all tests; what failed is said again at the end
	$(BUILD) --build-tests
	Tests/run $(PEERS) $(dir $(SUITES))json-schema

.PHONY: matrix
matrix: deps peers ## the Swift tests that can do without the wire at both speeds, with each statement of each deed failing in each way, and all clients in all variants, by both clocks: for hours
	$(BUILD) --build-tests
	SPARRING_MATRIX=1 SPARRING_PYTHON="$(CURDIR)/$(PEERS)" swift test --scratch-path .build-test --skip-build --parallel --skip 'SparringHTTPTests|RealTimeTests'
	$(MAKE) --no-print-directory hands HANDS='--all --time-basis wall'
	$(MAKE) --no-print-directory hands HANDS='--habits --time-basis wall'
	$(MAKE) --no-print-directory hands HANDS=--habits

HANDS ?=
.PHONY: hands
hands: deps peers ## play the good clients that others have written in all scenarios (HANDS=--all: in every variant, for half an hour; HANDS=--habits: with their bad habits)
	$(BUILD) --product sparring
	$(PEERS) Tests/peers/hands.py --binary $(TESTED)/sparring $(HANDS)

.PHONY: recordings
recordings: deps peers ## record the good clients of every vendor, import and replay what they said: nothing may be found in it, and nothing may differ
	$(BUILD) --product sparring
	$(PEERS) Tests/peers/recordings.py --binary $(TESTED)/sparring --all

.PHONY: variations
variations: deps peers ## vary what good clients are sent: each family alone, then all at once by 20 seeds, in one scenario for each variant (an hour); find what brittle clients break on
	$(BUILD) --product sparring
	$(PEERS) Tests/peers/brittle.py --binary $(TESTED)/sparring
	$(PEERS) Tests/peers/hands.py --binary $(TESTED)/sparring --jobs 24 --vary families
	$(PEERS) Tests/peers/hands.py --binary $(TESTED)/sparring --jobs 24 --vary seeds

SAMPLES ?=
.PHONY: samples
samples: deps peers ## run the samples of README and of all pages (SAMPLES=Recordings.md for one; SAMPLES=--record writes what they print)
	$(BUILD) --product sparring
	$(PEERS) Tests/samples/run.py --binary $(TESTED)/sparring $(SAMPLES)

NODES ?=
.PHONY: nodes
nodes: deps peers ## three nodes behind HAProxy, of which one is killed and one drains, while 30 workers play good clients in 300 sandboxes (NODES='--sandboxes 30 --workers 6')
	@command -v haproxy >/dev/null && getent hosts a.sparring.localhost >/dev/null \
	  || { $(SUDO) apt-get update -qq && $(APT) haproxy libnss-myhostname; }
	$(PEERS) -m pip install --quiet --disable-pip-version-check kubernetes-validate==1.37.0
	$(BUILD) --product sparring
	$(PEERS) Tests/nodes/deploy.py --binary $(TESTED)/sparring
	$(PEERS) Tests/nodes/drill.py --binary $(TESTED)/sparring $(NODES)

KINDS ?=
.PHONY: kinds
kinds: deps peers ## note in Tests/peers/kinds.md which rules are kept, broken and excused in which circumstances (ten minutes; KINDS=--all for hours)
	$(BUILD) --product sparring
	$(PEERS) Tests/peers/hands.py --binary $(TESTED)/sparring --kinds Tests/peers/kinds.json $(KINDS)
	$(PEERS) Tests/peers/hands.py --binary $(TESTED)/sparring --kinds Tests/peers/kinds.json --habits
	$(PEERS) Tests/peers/kinds.py --record

PAGE_TESTS ?=
.PHONY: page-test
page-test: deps chromium $(PAGE) ## the live page in a browser (PAGE_TESTS='-m short' for half a minute of it)
	$(BUILD) --product sparring
	$(MAKE) --no-print-directory page-built

.PHONY: page-built
page-built: $(PAGE)
	$(PAGE) -m pytest --quiet Tests/page --binary "$(or $(SPARRING_BINARY),$(TESTED)/sparring)" --chromium "$$(command -v $(or $(CHROMIUM),chromium))" $(PAGE_TESTS)

# The short part, where there can be a browser: on some systems none is packaged.
.PHONY: page-short
page-short:
	@if $(MAKE) --no-print-directory chromium; then $(MAKE) --no-print-directory page-built PAGE_TESTS='-m short'; \
	  else echo "no Chromium can be installed here: the live page was not tested in a browser"; fi

.PHONY: chromium
chromium:
	@[ -n "$(CHROMIUM)" ] || { $(SUDO) apt-get update -qq && $(APT) chromium; }

.PHONY: check
check: lint test start manual ## what CI runs

# Ten runs of ten gave the same count; the margin is for other versions of the system's libraries.
START_LIMIT ?= 1200
.PHONY: start
start: deps ## count the instructions of a start of what was built for the tests, installed: more than START_LIMIT million are too many
	@command -v valgrind >/dev/null || { $(SUDO) apt-get update -qq && $(APT) valgrind; }
	$(BUILD) --product sparring
	python3 Tests/start/start.py $(TESTED)/sparring --limit $(START_LIMIT)

.PHONY: manual
manual: deps ## write the manual pages of the built binary to .build/manual
	$(BUILD) --product generate-manual
	$(MAKE) --no-print-directory pages

MANUALS ?= .build/manual
BUILT ?= $(TESTED)
.PHONY: pages
pages:
	rm -f $(MANUALS)/sparring.1 $(MANUALS)/sparring-*.1
	Sources/Packaging/manual $(BUILT)/sparring $(BUILT)/generate-manual $(MANUALS) "$$(git log -1 --format=%cs || date -u +%F)"
	@echo "wrote $$(ls $(MANUALS)/sparring*.1 | wc -l) pages to $(MANUALS)"

.PHONY: lint
lint: ## formatting and the promises that text can show
	swift format lint --strict --recursive --parallel $(SOURCES)
	Tests/lint

.PHONY: format
format: ## format the sources in place
	swift format --in-place --recursive --parallel $(SOURCES)

.PHONY: transcripts
transcripts: deps ## record what comes back in fixtures/transcripts again; look at the difference
	$(BUILD) --build-tests
	SPARRING_RECORD=1 swift test --scratch-path .build-test --skip-build --filter TranscriptTests

.PHONY: install
install: deps ## install an optimised build below PREFIX (default /usr/local)
	Sources/Packaging/build .build-dist
	$(MAKE) --no-print-directory copy BINARY=.build-dist/release/sparring
	strip --strip-all $(DESTDIR)$(PREFIX)/bin/sparring
	$(MAKE) --no-print-directory stamp
	$(MAKE) --no-print-directory pages BUILT=.build-dist/release MANUALS=$(DESTDIR)$(PREFIX)/share/man/man1

BINARY ?= $(TESTED)/sparring
# Puts a built BINARY below PREFIX with its contracts, its fixtures and the live page beside it; the tests call it with the binary they were built with.
.PHONY: copy
copy:
	install -D -m 755 $(BINARY) $(DESTDIR)$(PREFIX)/bin/sparring
	rm -rf $(DESTDIR)$(PREFIX)/share/sparring
	mkdir -p $(DESTDIR)$(PREFIX)/share/sparring
	cp -R contracts fixtures $(DESTDIR)$(PREFIX)/share/sparring/
	cp -R Sources/SparringAdmin/Page/files $(DESTDIR)$(PREFIX)/share/sparring/page
	cp -R Sources/Packaging/deploy $(DESTDIR)$(PREFIX)/share/sparring/deploy
	Sources/Packaging/documents $(DESTDIR)$(PREFIX)
	rm -rf $(DESTDIR)$(PREFIX)/share/sparring/fixtures/fuzz
	git rev-parse --short=12 HEAD > $(DESTDIR)$(PREFIX)/share/sparring/commit || rm -f $(DESTDIR)$(PREFIX)/share/sparring/commit
	for shell in bash:bash-completion/completions/sparring zsh:zsh/site-functions/_sparring fish:fish/vendor_completions.d/sparring.fish; do \
	  file="$(DESTDIR)$(PREFIX)/share/$${shell#*:}"; install -d "$$(dirname "$$file")" && \
	  $(BINARY) completion "$${shell%%:*}" > "$$file" && chmod 644 "$$file" || exit 1; done
	@echo "installed $(DESTDIR)$(PREFIX)/bin/sparring"

# Has the installed binary check what was installed beside it, so that its starts need not.
.PHONY: stamp
stamp:
	$(DESTDIR)$(PREFIX)/bin/sparring stamp $(DESTDIR)$(PREFIX)/share/sparring

.PHONY: dist
dist: deps ## pack a stripped release as .tar.gz and .deb, with checksums, in .build/dist
	Sources/Packaging/build .build-dist
	Sources/Packaging/dist .build-dist .build/dist

.PHONY: twice
twice: deps ## build a release from two clones in different folders; both must be equal byte for byte
	Sources/Packaging/twice

.PHONY: buildah
buildah:
	@export PATH="$$PATH:/usr/sbin:/sbin"; command -v buildah >/dev/null && command -v debootstrap >/dev/null && command -v ip >/dev/null \
	  || { $(SUDO) apt-get update -qq && $(APT) --no-install-recommends buildah debootstrap iproute2; }

.PHONY: image
image: buildah ## build the container image, in .build/dist, from the package there (after `make dist`; needs root)
	$(SUDO) Sources/Packaging/image .build/dist/sparring_*.deb .build/drill

.PHONY: drill
drill: image ## build the container image, load it again, judge a client in it, and serve (after `make dist`; needs root)
	$(SUDO) Sources/Packaging/drill .build/dist/sparring_*.docker.tar .build/drill

.PHONY: race
race: deps peers ## the tests under the thread sanitizer (a full build of its own)
	# Not optimised: the sanitizer does not see what the runtime orders in the short cuts that optimised code takes.
	env -u SPARRING_OPTIMISED TSAN_OPTIONS="suppressions=$(CURDIR)/Tests/tsan.supp history_size=4" SPARRING_PYTHON="$(CURDIR)/$(PEERS)" \
	  swift test --scratch-path .build-thread --sanitize=thread -Xswiftc -DSANITIZE_THREAD --filter 'Sparring(Sandbox|Engine|HTTP)Tests' \
	  --skip 'WebSocketLoadTests|WebSocketPeerTests|WebSocketPauseTests|StallTests'  # they starve the others under the sanitizer

.PHONY: memory
memory: deps peers ## the tests under the address sanitizer (a full build of its own)
	unset SPARRING_OPTIMISED; export ASAN_OPTIONS="detect_leaks=0:quarantine_size_mb=8" SPARRING_PYTHON="$(CURDIR)/$(PEERS)"; \
	  options="--scratch-path .build-address --sanitize=address"; failed=0; \
	  swift test $$options --filter SparringHTTPTests || failed=1; \
	  swift test $$options --skip-build --skip SparringHTTPTests || failed=1; [ $$failed = 0 ]

.PHONY: bench
bench: deps peers ## measure against bare libmicrohttpd, in one run (COST='--wiremock JAR' adds a peer; Pact's stub where it is installed)
	@command -v wrk >/dev/null || $(APT) wrk
	swift build --configuration release --product sparring
	mkdir -p .build/bench
	cc -O2 -o .build/bench/bare Tests/bench/bare.c $$(pkg-config --cflags --libs libmicrohttpd)
	cc -O2 -shared -fPIC -o .build/bench/allocations.so Tests/bench/allocations.c
	python3 Tests/bench/cost.py .build/release/sparring .build/bench/bare .build/bench/allocations.so $(COST)
	$(PEERS) Tests/bench/messaging.py .build/release/sparring --consumers 200 --rate 1000 --seconds 10
	python3 Tests/bench/bench.py .build/release/sparring .build/bench/bare
	python3 Tests/bench/faults.py .build/release/sparring
	python3 Tests/bench/verdicts.py .build/release/sparring
	python3 Tests/bench/validation.py .build/release/sparring
	python3 Tests/bench/sandboxes.py .build/release/sparring
	python3 Tests/bench/turns.py .build/release/sparring

.PHONY: walk
walk: deps ## the files that one sign-in runs through, in order (WALK=--functions for what it calls in each)
	@command -v gdb >/dev/null || $(APT) gdb
	$(BUILD) --product sparring
	python3 Tests/walk/walk.py $(TESTED)/sparring $(WALK)

.PHONY: load
load: deps peers ## 1,000 consumers talk at once; nothing may be lost (LOAD='--echo' with an agent who answers, LOAD='--vendor cxone --rate 300')
	swift build --configuration release --product sparring
	$(PEERS) Tests/bench/messaging.py .build/release/sparring $(LOAD)

.PHONY: fuzz
FUZZ_SECONDS ?= 600
FUZZ_TARGETS ?= head,json,form,request,message,token,yaml,row
fuzz: deps ## look for inputs that crash it (a full build of its own; FUZZ_SECONDS=60 for each of FUZZ_TARGETS=json,yaml)
	# C is left out: BoringSSL is not what is looked at.
	SPARRING_FUZZ=1 swift build --configuration release --scratch-path .build-fuzz --product SparringFuzz --sanitize=fuzzer -Xcc -fno-sanitize=fuzzer
	python3 Tests/fuzz/fuzz.py .build-fuzz/release/SparringFuzz --seconds $(FUZZ_SECONDS) --targets $(FUZZ_TARGETS)

.PHONY: power
STATES ?= 10000
power: deps ## what a loss of power leaves, in STATES states of the disk; a disk that fails; a machine's clock that jumps
	$(BUILD) --product sparring
	python3 Tests/power/failing.py $(TESTED)/sparring
	@[ -n "$$(ls /usr/lib/*/faketime/libfaketimeMT.so.1 2>/dev/null)" ] || $(APT) faketime
	python3 Tests/power/clocks.py $(TESTED)/sparring
	python3 Tests/power/power.py $(TESTED)/sparring --states $(STATES)

.PHONY: simulate
SEEDS ?= 10000
SEED ?= 1
simulate: deps ## play the generated stories of SEEDS seeds, from SEED on, in an hour; what fails is kept in fixtures/simulation and played first from then on
	$(BUILD) --build-tests
	SPARRING_KEEP=1 SPARRING_SEEDS=$(SEEDS) SPARRING_SEED=$(SEED) swift test --scratch-path .build-test --skip-build --parallel --filter SimulationTests

.PHONY: conformance
DOCUMENTS ?=
conformance: deps ## call what the contracts declare, as Schemathesis makes it up; nothing undeclared may come back (DOCUMENTS='khoros admin')
	$(BUILD) --product sparring
	[ -e .build/schemathesis/bin/st ] || { python3 -m venv .build/schemathesis && .build/schemathesis/bin/pip install --quiet 'schemathesis>=4.32,<5'; }
	python3 Tests/peers/fuzz_contracts.py --binary $(TESTED)/sparring --schemathesis .build/schemathesis/bin/st $(DOCUMENTS)

.PHONY: attack
ATTACKS ?= review credentials stop kill full hostile
attack: deps ## attack an optimised build: SIGTERM and kill -9 amid everything, a full disk, a hostile neighbour (ATTACKS='stop kill')
	swift build --configuration release --product sparring
	@failed=""; for attack in $(ATTACKS); do echo "== $$attack"; \
	  python3 Tests/attack/$$attack.py .build/release/sparring || failed="$$failed $$attack"; done; \
	  [ -z "$$failed" ] || { echo "failed:$$failed"; exit 1; }

.PHONY: docs
DOCS ?= sparring SparringEngine SparringVendors
docs: deps ## make the pages of the documentation, below .build/documentation (DOCS=sparring for the commands' limits)
	@mkdir -p .build/documentation
	Sources/Packaging/pages .build/docs-source
	for target in $(DOCS); do SPARRING_DOCS=1 swift package --package-path .build/docs-source --scratch-path $(CURDIR)/.build-docs \
	  --allow-writing-to-directory $(CURDIR)/.build/documentation generate-documentation --target $$target --disable-indexing --transform-for-static-hosting \
	  --hosting-base-path $$target --output-path $(CURDIR)/.build/documentation/$$target || exit 1; done

# System libraries, installed where they are missing.
.PHONY: deps
deps:
	@command -v swift >/dev/null || { echo "Swift 6.2 or later is needed: https://www.swift.org/install/linux/"; exit 1; }
	@missing=""; \
	  [ -e /usr/include/microhttpd.h ] || missing="$$missing libmicrohttpd-dev"; \
	  [ -e /usr/include/sqlite3.h ] || missing="$$missing libsqlite3-dev"; \
	  [ -e /usr/include/zlib.h ] || missing="$$missing zlib1g-dev"; \
	  command -v pkg-config >/dev/null || missing="$$missing pkg-config"; \
	  pkg-config --exists libcurl 2>/dev/null || [ -n "$$(ls /usr/include/curl/curl.h /usr/include/*/curl/curl.h 2>/dev/null)" ] || missing="$$missing libcurl4-openssl-dev"; \
	  if [ -n "$$missing" ]; then echo "installing$$missing"; $(SUDO) apt-get update -qq && $(APT) $$missing; fi

# Clients written by others, for the tests: Python with joserfc and requests, Ruby with Faye.
.PHONY: peers
peers: $(PEERS)
	@ruby -e 'require "faye"' 2>/dev/null || { $(SUDO) apt-get update -qq && $(APT) ruby-faye; }
$(PEERS): Tests/peers/requirements.txt
	@python3 -c 'import venv, ensurepip' 2>/dev/null || { $(SUDO) apt-get update -qq && $(APT) python3 python3-venv; }
	python3 -m venv .build/peers
	$(PEERS) -m pip install --quiet --disable-pip-version-check -r Tests/peers/requirements.txt
	@touch $(PEERS)

# A browser's driver, for the tests of the live page.
$(PAGE): Tests/page/requirements.txt
	@python3 -c 'import venv, ensurepip' 2>/dev/null || { $(SUDO) apt-get update -qq && $(APT) python3 python3-venv; }
	python3 -m venv .build/page
	$(PAGE) -m pip install --quiet --disable-pip-version-check -r Tests/page/requirements.txt
	@touch $(PAGE)

# The public JSON-Schema-Test-Suite, which the source distribution of a Python package carries.
$(SUITES): Tests/peers/suites.txt | $(PEERS)
	rm -rf $(@D) && mkdir -p $(@D)/json-schema
	$(PEERS) -m pip download --quiet --disable-pip-version-check --no-deps --no-binary :all: --require-hashes -r Tests/peers/suites.txt --dest $(@D)
	tar --extract --gzip --file $(@D)/jsonschema-*.tar.gz --directory $(@D)/json-schema --strip-components=2 --wildcards '*/json/tests'
	@touch $@
