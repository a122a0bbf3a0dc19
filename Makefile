# Vestibule: `make run` and `make test` are all a newcomer needs.

SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := help

# Release code for the machine it is built on. Plain `swift build` works as well, for any machine.
NATIVE := -Xcc -march=native
RELEASE := swift build -c release $(NATIVE) --product vestibule
PROGRAM := .build/release/vestibule
DEMO := demo/scene.wav
PYTHON := .venv/bin/python

# What is installed, and what for.
PACKAGES := \
	pkg-config=finds-the-libraries \
	liblo-dev=OSC-packets \
	libwebsockets-dev=HTTP-and-WebSockets \
	libev-dev=waits-for-thousands-of-sockets \
	libssl-dev=TLS-certificates \
	libasound2-dev=sound-cards \
	libqrencode-dev=pairing-codes \
	libsystemd-dev=Bluetooth-trackers-and-announcements-over-D-Bus \
	libfftw3-dev=Fourier-transforms \
	libsndfile1-dev=sound-files \
	libsoxr-dev=other-sample-rates \
	libmysofa-dev=head-related-responses \
	libjs-dygraphs=charts-of-the-telemetry-page
TEST_PACKAGES := \
	python3-venv=integration-tests \
	openssl=judges-the-certificates \
	libnss3-tools=a-browser-that-trusts-an-authority \
	chromium=the-panel-in-a-real-browser \
	pulseaudio=an-ALSA-device-without-a-sound-card \
	pulseaudio-utils=records-what-that-device-plays \
	libasound2-plugins=ALSA-over-PulseAudio \
	dbus=a-message-bus-without-a-desktop \
	python3-dbusmock=a-Bluetooth-adapter-that-is-not-there
ifeq ($(shell command -v node),)
TEST_PACKAGES += nodejs=tests-of-the-panel
endif

.PHONY: help run build build-fuzz test packages test-packages test-rules test-swift test-threads test-realtime test-panel test-integration test-fuzz fuzz bench clean

help:
	@echo "make run               installs what is missing, builds, makes the demo recording, starts the engine"
	@echo "make run OPTIONS='…'   the same, with options for 'vestibule serve'"
	@echo "make test              every test, the panel in a real browser included"
	@echo "make fuzz              libFuzzer over packets, commands, paths and files"
	@echo "make bench             measures this machine"

run: build $(DEMO)
	exec $(PROGRAM) serve --recording $(DEMO) $(OPTIONS)

build: packages
	$(RELEASE)

$(DEMO): | build
	$(PROGRAM) synth --demo --output $(DEMO)

bench: build
	$(PROGRAM) bench

AS_ROOT = $(if $(filter 0,$(shell id -u)),,sudo)

# apt is asked only for what is missing, and says why; sudo only when not root.
define install
	@missing=(); \
	for entry in $(1); do \
		dpkg-query -W -f='$${Status}' "$${entry%%=*}" 2>/dev/null | grep -q 'ok installed' || { \
			echo "missing: $${entry%%=*} ($$(tr - ' ' <<< "$${entry#*=}"))"; missing+=("$${entry%%=*}"); }; \
	done; \
	if (($${#missing[@]})); then \
		root=(); if [ "$$(id -u)" != 0 ]; then root=(sudo); echo "installing them needs your password:"; fi; \
		"$${root[@]}" apt-get update -q; \
		"$${root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends "$${missing[@]}"; \
	fi
endef

packages:
	@command -v swift >/dev/null || { echo "Swift 6.2 or newer is needed: see https://www.swift.org/install"; exit 1; }
	$(call install,$(PACKAGES))

test-packages: packages
	$(call install,$(TEST_PACKAGES))

test: test-rules test-swift test-threads test-realtime test-panel test-integration test-fuzz

# What no compiler checks: the layout (`swift format -i -r …` mends it), nothing left undone, no Foundation where the audio thread lives, and for every unsafe promise
# the reason above it.
test-rules:
	swift format lint --strict -r Package.swift Sources Tests Fuzz
	@! git grep -nwE 'TODO|FIXME|XXX' -- Sources Tests web protocol
	@! git grep -nE '^(public |internal )?import Foundation' -- Sources/Parameters Sources/Crossing Sources/DSP \
		Sources/Binaural Sources/Effects Sources/Render
	@! git grep -n 'no_performance_analysis' -- Sources
	@git grep -nE '@unchecked Sendable|nonisolated\(unsafe\)' -- Sources | while IFS=: read -r file line _; do \
		sed -n "$$((line > 3 ? line - 3 : 1)),$${line}p" "$$file" | grep -q 'SAFETY:' || { \
			echo "$$file:$$line: no SAFETY line above"; exit 1; }; done

test-swift: packages
	swift test

# ThreadSanitizer over everything that two threads share.
test-threads: packages
	swift test --scratch-path .build-threads --sanitize=thread --filter CrossingTests

# RealtimeSanitizer over a render with everything moving; its canary has to die, or the check checks nothing.
RTSAN = $(shell ls $$(dirname $$(dirname $$(readlink -f $$(command -v swiftc))))/lib/clang/*/lib/linux/libclang_rt.rtsan-$$(uname -m).a)
REALTIME = swift test --scratch-path .build-realtime --filter RealtimeSafetyTests \
	-Xlinker --whole-archive -Xlinker $(RTSAN) -Xlinker --no-whole-archive \
	-Xlinker --export-dynamic -Xlinker -lstdc++ -Xlinker -lm
test-realtime: packages
	$(REALTIME) | tee /dev/stderr | grep -q 'checked by RealtimeSanitizer: true'
	@if CANARY=1 $(REALTIME) --skip-build >.build-realtime/canary.log 2>&1; then \
		echo "the canary survived: RealtimeSanitizer does not check"; exit 1; fi
	@grep -q 'Intercepted call to real-time unsafe function' .build-realtime/canary.log
	@echo "the canary died, as it must"

# libFuzzer over what comes from outside, a target after the other; what it finds is kept beside the corpus.
FUZZ_RUNS ?= 10000000
FUZZ_TARGETS := osc json http session
FUZZ := FUZZ=1 swift build -c release --scratch-path .build-fuzz -Xswiftc -sanitize=fuzzer -Xswiftc -enable-testing
TRACKER_FUZZER := .build-fuzz/release/FuzzTrackers
build-fuzz: packages
	$(FUZZ) --product FuzzTrackers -Xswiftc -Xclang-linker -Xswiftc -fuse-ld=lld

fuzz: build-fuzz
	mkdir -p .build-fuzz/corpus/trackers
	$(TRACKER_FUZZER) -runs=$(FUZZ_RUNS) -max_len=160 -print_final_stats=1 -artifact_prefix=.build-fuzz/ .build-fuzz/corpus/trackers
	$(FUZZ) --product Fuzz
	swiftc -sanitize=fuzzer -o .build-fuzz/fuzz .build-fuzz/release/libFuzz.a \
		$$(pkg-config --libs liblo libwebsockets libqrencode) -lcrypto -lev
	@for target in $(FUZZ_TARGETS); do \
		mkdir -p .build-fuzz/corpus/$$target; \
		echo "$$target: $(FUZZ_RUNS) runs"; \
		FUZZ_TARGET=$$target .build-fuzz/fuzz -runs=$(FUZZ_RUNS) -max_len=4096 -timeout=10 -print_final_stats=1 \
			-artifact_prefix=.build-fuzz/$$target- .build-fuzz/corpus/$$target Fuzz/corpus/$$target; \
	done

# What trackers send, short, from an empty corpus and a fixed seed: the same every time.
test-fuzz: build-fuzz
	$(TRACKER_FUZZER) -runs=200000 -seed=1 -max_len=160 -artifact_prefix=.build-fuzz/ 2>&1 | tail -1 | tee /dev/stderr | grep -q '^Done 200000 runs'

test-panel: test-packages
	node --test web/test

.venv: Tests/Integration/requirements.txt
	python3 -m venv .venv
	.venv/bin/pip install -q -r Tests/Integration/requirements.txt
	touch .venv

# Out of its package alone, which would start a server when it is installed.
.venv/bin/promtool: | .venv
	cd .venv && { apt-get download -q prometheus || { $(AS_ROOT) apt-get update -q && apt-get download -q prometheus; }; }
	cd .venv && dpkg-deb --fsys-tarfile prometheus_*.deb | tar -x --strip-components=3 -C bin ./usr/bin/promtool && rm prometheus_*.deb

test-integration: test-packages build .venv .venv/bin/promtool
	PROMTOOL=.venv/bin/promtool $(PYTHON) -m pytest -q Tests/Integration

clean:
	rm -rf .build .build-threads .build-realtime .build-fuzz .venv demo
