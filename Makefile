# `make run` starts Vestibule, `make check` tests a change before a commit, `make test` runs every test.

SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := help

# Release code for the processor it is built on. Plain `swift build` makes a program for any machine.
NATIVE := -Xcc -march=native
RELEASE := swift build -c release $(NATIVE) --product vestibule
PROGRAM := .build/release/vestibule
DEMO := demo/scene.wav
PYTHON := .venv/bin/python

# Packages to install, each with its purpose.
PACKAGES := \
	pkg-config=finds-the-libraries \
	liblo-dev=OSC-packets \
	libwebsockets-dev=HTTP-and-WebSockets \
	libev-dev=waits-for-thousands-of-sockets \
	libssl-dev=TLS-certificates \
	libasound2-dev=sound-cards \
	libjack-jackd2-dev=JACK-and-PipeWire \
	libqrencode-dev=pairing-codes \
	libsystemd-dev=Bluetooth-trackers-and-announcements-over-D-Bus \
	libmosquitto-dev=MQTT-brokers \
	libfftw3-dev=Fourier-transforms \
	libsndfile1-dev=sound-files \
	libopus-dev=compressed-streams \
	libsoxr-dev=other-sample-rates \
	libebur128-dev=loudness-of-files \
	libarchive-dev=archives-of-installations \
	libmysofa-dev=head-related-responses \
	libavformat-dev=internet-radio-and-HLS \
	libavcodec-dev=decoders-of-internet-radio-and-encoders-of-HLS \
	libswresample-dev=sample-rates-of-internet-radio \
	libjs-dygraphs=charts-of-the-telemetry-page \
	wasi-libc=the-renderer-for-browsers
TEST_PACKAGES := \
	python3-venv=integration-tests \
	openssl=judges-the-certificates \
	libnss3-tools=a-browser-that-trusts-an-authority \
	chromium=the-panel-in-a-real-browser \
	pulseaudio=an-ALSA-device-without-a-sound-card \
	pulseaudio-utils=records-what-that-device-plays \
	libasound2-plugins=ALSA-over-PulseAudio \
	jackd2=a-JACK-server-without-a-sound-card \
	mosquitto=an-MQTT-broker \
	libxslt1.1=what-an-Icecast-server-loads \
	libcurl4=what-an-Icecast-server-loads \
	dbus=a-message-bus-without-a-desktop \
	python3-dbusmock=a-Bluetooth-adapter-that-is-not-there
ifeq ($(shell command -v node),)
TEST_PACKAGES += nodejs=tests-of-the-panel
endif

.PHONY: help run build renderer site build-fuzz bench packages test-packages clean fuzz
.PHONY: check check-swift check-panel check-integration
.PHONY: test test-rules test-conversions test-swift test-threads test-realtime test-panel test-integration test-fuzz

help:
	@echo "make run               Install what is missing, build, make the demo recording, start the engine."
	@echo "make run OPTIONS='…'   The same, with options for 'vestibule serve'."
	@echo "make check             Run the tests for every commit: rules, Swift tests, panel, a part of the integration tests."
	@echo "make test              Run every test, with sanitizers and the panel in a real browser."
	@echo "make fuzz              Feed packets, commands, paths and files from libFuzzer."
	@echo "make bench             Measure this machine."
	@echo "make site              Make a folder for any web server: the demonstration, rendered by the browser."

run: build $(DEMO)
	exec $(PROGRAM) serve --recording $(DEMO) $(OPTIONS)

build: packages renderer
	$(RELEASE)

# The renderer for browsers, as WebAssembly.
renderer: packages
	@$(MAKE) --no-print-directory -C Sources/Browser

$(DEMO): | build
	$(PROGRAM) synth --demo --output $(DEMO) --overwrite

# A folder for any web server: the page "Listen" with the demonstration recording. docs/listening-in-a-browser.md
site: build $(DEMO)
	web/site.sh $(PROGRAM) site $(DEMO) Demonstration

bench: build
	$(PROGRAM) bench

AS_ROOT = $(if $(filter 0,$(shell id -u)),,sudo)

# Installs the packages that are missing and prints their purpose. Uses sudo unless run by root.
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

# Results of the tests with their times, for the list of the slowest.
TIMES := .build/test-times
$(TIMES):
	mkdir -p $@

test: test-rules test-swift test-threads test-realtime test-panel test-counts test-integration test-fuzz
	@.ci/slowest.py $(SWIFT_TIMES) $(TIMES)/integration-{together,paired,alone}.xml

check: test-rules check-swift check-panel check-integration
	@.ci/slowest.py $(TIMES)/check-integration.xml

# Rules that no compiler checks: the layout (`swift format -i -r …` repairs it), no unfinished work, no Foundation on the realtime path,
# a reason above every unsafe promise, files opened only as a RegularFile (which never waits for a FIFO or a device),
# no fixed waiting times in tests, no random numbers in tests without a printed seed, no line over 140 columns,
# no folder of more than 25 files, no comment that opens with a question word, no type name twice, no long subject of a commit.
OPENING_C := O_RDONLY|fopen\(|freopen\(|ifstream|sf_open\(|sf_open_virtual\(|mysofa_(load|open)\(|BIO_new_file
OPENING_SWIFT := FileHandle\(forReading|InputStream\(|(Data|String)\(contentsOf|contents\(atPath
WRITING := createFile\(|\.write\(to: *(URL|url\b|file\b|path\b|folder)|atomically:|forWriting|sf_open|fopen\(.*"[wa]|O_CREAT|mkstemp
UNSEEDED_SWIFT := SystemRandomNumberGenerator|\.random\((in: [^,]*)?\)|randomElement\(\)|shuffled\(\)|SeededRandom\(seed: [0-9]|arc4random
UNSEEDED_PYTHON := default_rng\(|random\.Random\(|urandom|secrets\.token|import random$$
TYPE_NAME := ^(public |package |internal |open )?(final |indirect )?(class|struct|enum|protocol|actor) [A-Z][A-Za-z0-9]*
# Types of Sources/Browser that stand in for those of other modules when the renderer is compiled for browsers.
STAND_INS := FourierTransform|ListenerRacks|LiveSound
# Commits from this time on have short subjects.
SUBJECTS_SINCE := 2026-11-26T18:00:00Z
PROSE_AND_CODE := '*.md' '*.swift' '*.js' '*.py' '*.css' '*.html' '*.c' '*.h' '*.conf' '*.service' '*.yml' '*.yaml' Makefile .ci
test-rules:
	swift format lint --strict -r Package.swift Sources Tests
	@! git grep -nwE 'TODO|FIXME|XXX' -- Sources Tests web protocol docs
	@! git grep -nE '^(public |package |internal )?import Foundation' -- Sources/Parameters Sources/Crossing \
		Sources/RenderInterface Sources/DSP Sources/Binaural Sources/Effects Sources/Render Sources/RenderCore
	@! git grep -n 'no_performance_analysis' -- Sources
	@git grep -nE '@unchecked Sendable|nonisolated\(unsafe\)' -- Sources | while IFS=: read -r file line _; do \
		sed -n "$$((line > 3 ? line - 3 : 1)),$${line}p" "$$file" | grep -q 'SAFETY:' || { \
			echo "$$file:$$line: no SAFETY line above"; exit 1; }; done
	@! { git grep -nE '$(OPENING_C)|$(OPENING_SWIFT)' -- Sources ':!Sources/Files/RegularFile.swift' | \
		grep -vE 'SFM_WRITE|"/dev/null"'; } || { \
		echo "open files as a RegularFile"; exit 1; }
	@! git grep -nE 'time\.sleep\(|wait_for_timeout\(|asyncio\.sleep\(' -- Tests/Integration ':!Tests/Integration/support/waiting.py' || { \
		echo "wait for a condition: see Tests/Integration/support/waiting.py"; exit 1; }
	@! git grep -nE '\b(usleep|nanosleep|sleep)\(|(Thread|Task)\.sleep' -- 'Tests/*.swift' ':!Tests/Support/Waiting.swift' || { \
		echo "wait for a condition: see Tests/Support/Waiting.swift"; exit 1; }
	@! git grep -nE '^\s*(//+|/?\*+|#:?|""")\s*(What|Of|Whoever|Who|Whose|How)\b' -- Sources Tests web || { \
		echo "open a comment with a noun phrase or a verb: see CONTRIBUTING.md"; exit 1; }
	@! git ls-files Sources Tests web docs benchmarks | xargs -n 1 dirname | sort | uniq -c | awk '$$1 > 25' | grep . || { \
		echo "more than 25 files: make sub-folders by duty"; exit 1; }
	@! { git grep -hoE '$(TYPE_NAME)' -- 'Sources/*.swift' | awk '{ print $$NF }' | sort | uniq -d | grep -vxE '$(STAND_INS)'; } || { \
		echo "two types with one name: see CONTRIBUTING.md"; exit 1; }
	@! { git log --since='$(SUBJECTS_SINCE)' --format='%h %s' | LC_ALL=C.UTF-8 grep -E '^[0-9a-f]+ .{101}|work in progress'; } || { \
		echo "the subject of a commit has at most 100 columns, and says what was done"; exit 1; }
	@! git grep -nE '$(WRITING)' \
		-- Sources ':!Sources/FileOutput' ':!Sources/Media/SoundHandle.swift' || { \
		echo "write files by OutputFile, and open libsndfile by SoundHandle"; exit 1; }
	@! git grep -nE '$(UNSEEDED_SWIFT)' -- 'Tests/*.swift' ':!Tests/Support/SeededRandom+Test.swift' || { \
		echo "draw from SeededRandom"; exit 1; }
	@! git grep -nE '$(UNSEEDED_PYTHON)' -- 'Tests/*.py' ':!Tests/Integration/support/seeds.py' || { \
		echo "draw from a generator of seeds.py"; exit 1; }
	@! { git ls-files -z $(PROSE_AND_CODE) | LC_ALL=C.UTF-8 xargs -0 grep -nE '.{141}' | grep -vE '^protocol/[^:]*\.md:[0-9]+:\|'; } || { \
		echo "longer than 140 columns"; exit 1; }

# The tests are optimized as the program is, in a folder of their own: those that compute take a tenth of the time. They run one after
# another, because tests that run beside each other affect each other's times. `make test-realtime` runs RealtimeSafetyTests.
OPTIMIZED := -c release $(NATIVE) -Xswiftc -enable-testing --scratch-path .build-tests
# A test that hangs ends after this time, with the calls of all its threads.
LIMIT = SWIFT_BACKTRACE=enable=yes,threads=all,color=no,limit=40,images=none timeout --signal=ABRT --kill-after=60
SWIFT_TEST := swift test $(OPTIMIZED) --skip-build --experimental-maximum-parallelization-width 1
SWIFT_TIMES := $(TIMES)/swift.jsonl
# The tests that failed stand last, where a reader of the end of a long output finds them. With RETRIES=1 up to three of them, and any
# integration test, run a second time; both results are printed.
export RETRIES ?= 0
test-swift: packages | $(TIMES)
	swift build --build-tests $(OPTIMIZED)
	@rm -f $(SWIFT_TIMES)
	$(LIMIT) 1500 .ci/tidy $(SWIFT_TEST) --skip '^RealtimeSafetyTests' \
		--event-stream-version 0 --event-stream-output-path $(SWIFT_TIMES) || SWIFT_TEST='$(SWIFT_TEST)' .ci/failed.py $(SWIFT_TIMES)
	@$(MAKE) --no-print-directory test-conversions MODULES=.build-tests/release

# The conversions that trap are hidden from every module. The canary must not compile: it shows that they are.
MODULES ?= .build/debug
CONVERSION = swiftc -typecheck -warnings-as-errors -I $(MODULES)/Modules \
	-Xcc -fmodule-map-file=$(MODULES)/CRealtime.build/module.modulemap -Xfrontend -import-module -Xfrontend Numbers -
test-conversions:
	@echo 'func convert(_ x: Double) -> Int { Int(clamping: x) }' | $(CONVERSION)
	@! echo 'func convert(_ x: Double) -> Int { Int(x) }' | $(CONVERSION) 2>/dev/null || { \
		echo "Int(floating point) compiles: Numbers does not hide it"; exit 1; }

# Tests of more than some seconds; `make test` runs them.
SLOW_SWIFT := RealtimeSafetyTests|EvaluationTests|BinauralTests\.HRTFTests|SynthesisTests\.AmbisonicEncodingTests
SLOW_SWIFT := $(SLOW_SWIFT)|RenderTests\.(TurningTone|TiltedHead|RenderHealing)Tests|EffectsTests\.(Healing|Formant)Tests
SLOW_SWIFT := $(SLOW_SWIFT)|DeviceTests\.ArrayBridgeTests|SynthesisTests\.DemoSceneTests|RoomTests/theJoinHasNoStep
SLOW_SWIFT := $(SLOW_SWIFT)|TakeTests/aDiskThatDoesNotAnswer|PitchShiftTests/partialsAreWithinACent|InnerHalfTests/soundsLikeTheOuterHalf
SLOW_SWIFT := $(SLOW_SWIFT)|DynamicsTests/limiterKeepsTheTruePeak|EqualiserTests/peaksAreAnalogue|LowPassDesignTests/limits
check-swift: packages
	.ci/tidy swift test --skip '$(SLOW_SWIFT)'
	@$(MAKE) --no-print-directory test-conversions

# ThreadSanitizer over everything that two threads share. It does not see the waiting of Swift's Mutex: the file names what that
# would report.
THREADED_TARGETS := CrossingTests,EffectsTests,RenderTests,EngineTests,HubTests,MediaTests
THREADED := CrossingTests|RackThreadsTests|RenderThreadsTests|InnerHalfTests|EngineTests|HubTests|MediaTests
# Suites of these targets that run on one thread.
UNTHREADED := MediaTests\.(Damaged|FolderRecording|HRTFFiles|LoopSeam|LoudnessMeter|RecordingReader|Resampler|SceneDescription|SoundWriter)
UNTHREADED := $(UNTHREADED)|InnerHalfTests.soundsLikeTheOuterHalf
test-threads: packages
	TSAN_OPTIONS="halt_on_error=1 suppressions=$(CURDIR)/Tests/Support/thread-sanitizer.txt" \
		ONLY_TESTS=$(THREADED_TARGETS) swift build --build-tests --scratch-path .build-threads --sanitize=thread
	TSAN_OPTIONS="halt_on_error=1 suppressions=$(CURDIR)/Tests/Support/thread-sanitizer.txt" \
		ONLY_TESTS=$(THREADED_TARGETS) $(LIMIT) 1200 .ci/tidy swift test --skip-build --scratch-path .build-threads --sanitize=thread \
		--filter '$(THREADED)' --skip '$(UNTHREADED)'

# RealtimeSanitizer over a render in which every parameter moves; it is linked to the tests that `make test-swift` builds. The canary is a
# test that must fail: it shows that the sanitizer works.
RTSAN = $(shell ls $$(dirname $$(dirname $$(readlink -f $$(command -v swiftc))))/lib/clang/*/lib/linux/libclang_rt.rtsan-$$(uname -m).a)
SANITIZED = REALTIME_SANITIZER=$(RTSAN) swift
REALTIME = $(SANITIZED) test $(OPTIMIZED) --skip-build --filter RealtimeSafetyTests
test-realtime: packages | $(TIMES)
	$(SANITIZED) build --build-tests $(OPTIMIZED)
	$(REALTIME) | tee $(TIMES)/realtime.log
	@grep -q 'checked by RealtimeSanitizer: true' $(TIMES)/realtime.log
	@if CANARY=1 $(REALTIME) >$(TIMES)/canary.log 2>&1; then \
		echo "the canary test passed: RealtimeSanitizer is not active"; exit 1; fi
	@grep -q 'Intercepted call to real-time unsafe function' $(TIMES)/canary.log
	@echo "the canary test failed as expected: RealtimeSanitizer is active"

# libFuzzer over all input from outside, one target after another. Findings are kept beside the corpus.
FUZZ_RUNS ?= 10000000
FUZZ_TARGETS := osc json http session trackers engine midi streams cameras
FUZZER := .build-fuzz/release/Fuzz
FUZZ = FUZZ_TARGET=$$target $(FUZZER) -max_len=$$([ $$target = trackers ] && echo 160 || echo 4096) -timeout=60 \
	-artifact_prefix=.build-fuzz/$$target-
FUZZ_CORPUS = $$(ls -d Tests/Fuzz/corpus/$$target 2>/dev/null || true)
build-fuzz: packages
	FUZZ=1 swift build -c release --scratch-path .build-fuzz --product Fuzz -Xswiftc -sanitize=fuzzer -Xswiftc -enable-testing \
		-Xswiftc -Xclang-linker -Xswiftc -fuse-ld=lld

fuzz: build-fuzz
	@for target in $(FUZZ_TARGETS); do \
		echo "$$target: $(FUZZ_RUNS) runs"; \
		mkdir -p .build-fuzz/corpus/$$target; \
		$(FUZZ) -runs=$(FUZZ_RUNS) -print_final_stats=1 .build-fuzz/corpus/$$target $(FUZZ_CORPUS); \
	done

# Short runs with a fixed seed, the same every time: many over packets of trackers, fewer over the slower targets. A run of the
# engine has some hundred steps.
test-fuzz: build-fuzz
	@for target in $(FUZZ_TARGETS); do \
		runs=$$(case $$target in trackers) echo 200000;; engine) echo 300;; *) echo 5000;; esac); \
		echo "$$target: $$runs runs"; \
		new=$$(mktemp -d); \
		$(FUZZ) -runs=$$runs -seed=1 $$new $(FUZZ_CORPUS) 2>&1 | tail -1 | tee -a /dev/stderr | grep -q "^Done $$runs runs"; \
		rm -r $$new; \
	done

# Allocations, locks and system calls per block of sound, each of which has to be 0. Timings: vestibule bench --check.
test-counts: build
	$(PROGRAM) bench --counts

test-panel: test-packages renderer
	node --test web/test

# Without what takes longer than some seconds.
check-panel: renderer
	CHECK=1 node --test web/test

# The picture of the README, recorded from the running panel.
.PHONY: panel-gif
panel-gif: test-packages build .venv
	$(PYTHON) docs/pictures/record_panel.py

.venv: Tests/Integration/requirements.txt
	python3 -m venv .venv
	.venv/bin/pip install -q -r Tests/Integration/requirements.txt
	touch .venv

# Extracted from their packages: installing them would start servers. $(1) is the package, $(2) a program of it.
define extract
	cd .venv && { apt-get download -q $(1) || { $(AS_ROOT) apt-get update -q && apt-get download -q $(1); }; }
	cd .venv && dpkg-deb --fsys-tarfile $(1)_*.deb | tar -x --strip-components=3 -C bin $(2) && rm $(1)_*.deb
endef
EXTRACTED := .venv/bin/promtool .venv/bin/prometheus .venv/bin/nginx .venv/bin/icecast2
.venv/bin/promtool: | .venv
	$(call extract,prometheus,./usr/bin/promtool)
.venv/bin/prometheus: | .venv
	$(call extract,prometheus,./usr/bin/prometheus)
.venv/bin/nginx: | .venv
	$(call extract,nginx,./usr/sbin/nginx)
.venv/bin/icecast2: | .venv
	$(call extract,icecast2,./usr/bin/icecast2)

# Files that measure no times run in three processes, those that mostly wait in two (Tests/Integration/conftest.py names them), the others
# one after another: many measure rates and latencies, which other tests on the same cores would disturb.
PYTEST = PROMTOOL=.venv/bin/promtool $(PYTHON) -m pytest -q -p no:cacheprovider --timeout=400 --durations=10 --reruns $(RETRIES)
test-integration: test-packages build .venv $(EXTRACTED) | $(TIMES)
	@result=0; \
		$(PYTEST) --junitxml=$(TIMES)/integration-together.xml -m together -n 3 --dist loadfile Tests/Integration || result=$$?; \
		$(PYTEST) --junitxml=$(TIMES)/integration-paired.xml -m paired -n 2 --dist loadfile Tests/Integration || result=$$?; \
		$(PYTEST) --junitxml=$(TIMES)/integration-alone.xml -m 'not together and not paired' Tests/Integration || result=$$?; \
		exit $$result

# A part that reaches every module, without browsers and sound servers.
SMOKE := support/test_waiting commands/test_additions commands/test_symbol_links commands/test_documentation commands/test_log \
	commands/test_render engine/test_serve engine/test_rack network/test_websocket network/test_access
check-integration: build .venv | $(TIMES)
	$(PYTHON) -m pytest -q -p no:cacheprovider --junitxml=$(TIMES)/check-integration.xml $(SMOKE:%=Tests/Integration/%.py)

clean:
	rm -rf .build .build-tests .build-threads .build-fuzz .venv demo
