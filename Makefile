# `make run` starts Vestibule, `make check` tests a change before a commit, `make test` runs every test.

SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := help

# Code for the processor it is built on. Plain `swift build` makes a program for any machine.
NATIVE := -Xcc -march=native
PROGRAM := .build/release/vestibule
# A development build renders as fast as a release. The rest is not optimized, so that it compiles in a third of the time that a
# release takes (Package.swift). `make run` and the tests use it.
DEVELOPMENT := $(NATIVE) -debug-info-format none
DEVELOPED := .build/debug/vestibule
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
	libhdf5-dev=head-related-responses-in-SOFA-files \
	libmysofa1=the-responses-of-an-artificial-head \
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
	chromium-headless-shell=the-same-in-less-time \
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

.PHONY: help run build program renderer site build-fuzz bench packages test-packages clean fuzz
.PHONY: check check-swift check-panel check-integration measure
.PHONY: test test-rules test-conversions test-swift test-realtime test-counts test-panel test-integration test-pages test-tools
.PHONY: test-long build-threads test-threads build-all-threads test-all-threads build-fuzz test-fuzz

help:
	@echo "make run               Install what is missing, build, make the demo recording, start the engine."
	@echo "make run OPTIONS='…'   The same, with options for 'vestibule serve'."
	@echo "make check             Run the tests for every commit: rules, Swift tests, panel, a part of the integration tests."
	@echo "make test              Say whether the program is right: every test that asserts no time; of those in browsers, some for each page."
	@echo "make test-pages        The tests in browsers, all of them: after a change of a page, and before a release."
	@echo "make test-long         The sanitizers over all threads, and fuzzing: before a release."
	@echo "make measure           Say how fast the program is on this machine, which has to be quiet."
	@echo "make fuzz              Feed packets, commands, paths and files from libFuzzer."
	@echo "make build             Build the program for use, .build/release/vestibule: all of it optimized."
	@echo "make bench             Measure the renderer and the control thread alone."
	@echo "make site              Make a folder for any web server: the demonstration, rendered by the browser."

run: develop $(DEMO)
	exec $(DEVELOPED) serve --recording $(DEMO) $(OPTIONS)

# The renderer for browsers uses a core that the program leaves idle at first.
build: packages
	@$(MAKE) --no-print-directory -j2 renderer program
program: packages
	swift build -c release $(NATIVE) --product vestibule

.PHONY: develop developed-program
develop: packages
	@[ -e $(DEVELOPED) ] || echo "building: about three minutes on two cores, the first time"
	@$(MAKE) --no-print-directory -j2 renderer developed-program
developed-program: packages
	swift build $(DEVELOPMENT) --product vestibule

# The renderer for browsers, as WebAssembly.
renderer: packages
	@$(MAKE) --no-print-directory -C Sources/Programs/Browser

$(DEMO): | develop
	$(DEVELOPED) synth --demo --output $(DEMO) --overwrite

# A folder for any web server: the page "Listen" with the demonstration recording. docs/listening-in-a-browser.md
site: develop $(DEMO)
	web/site.sh $(DEVELOPED) site $(DEMO) Demonstration

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

# Event streams, XML and logs of the tests, from which .ci/stages.py makes its summary.
RESULTS := .build/test-results
$(RESULTS):
	mkdir -p $@

# Tests assert no time, so that stages run beside each other: each waits for something half of its time. A build that fails ends the run.
test:
	@.ci/stages.py test-packages test-rules,build-tests+test-tools \
		test-swift,test-realtime,test-counts+test-panel,build-threads,test-threads+test-integration

# After a change in one file.
check:
	@.ci/stages.py test-rules build-tests check-swift+check-panel+check-integration

# The stages of a run find the tests built; one stage alone builds them.
BUILT := $(if $(STAGES),,build-tests)

test-long: | $(RESULTS)
	@.ci/stages.py build-all-threads test-all-threads build-fuzz test-fuzz

# Writes what is derived from the declarations of parameters, methods, topics and routes: tables in protocol/ and modules of web/.
.PHONY: protocol
protocol: build-tests
	UPDATE_PROTOCOL=1 $(SWIFT_TEST) --filter '^ProtocolTests|TelemetryTopicTests|RouteTests|GeneratedFiles'

# `swift format -i -r …` repairs the layout; .ci/rules.py names the other rules.
test-rules:
	swift format lint --strict -r Package.swift Sources Tests
	.ci/rules.py

# One build for the tests and the program that they run.
.PHONY: build-tests tests-and-program
build-tests: packages
	@$(MAKE) --no-print-directory -j2 renderer tests-and-program
tests-and-program: packages
	swift build --build-tests $(DEVELOPMENT)
# A test that hangs ends after this time, with the calls of all its threads.
LIMIT = SWIFT_BACKTRACE=enable=yes,threads=all,color=no,limit=40,images=none timeout --signal=ABRT --kill-after=60
SWIFT_TEST := swift test $(DEVELOPMENT) --skip-build --experimental-maximum-parallelization-width 1
EVENTS = --event-stream-version 0 --event-stream-output-path $(RESULTS)
test-swift: $(BUILT) | $(RESULTS)
	$(LIMIT) 9000 .ci/tidy $(SWIFT_TEST) --skip '^RealtimeSafetyTests' $(EVENTS)/swift.jsonl
	@$(MAKE) --no-print-directory test-conversions

# The conversions that trap are hidden from every module. The canary must not compile: it shows that they are.
MODULES := .build/debug
CONVERSION = swiftc -typecheck -warnings-as-errors -I $(MODULES)/Modules \
	-Xcc -fmodule-map-file=$(MODULES)/CRealtime.build/module.modulemap -Xfrontend -import-module -Xfrontend Numbers -
test-conversions:
	@echo 'func convert(_ x: Double) -> Int { Int(clamping: x) }' | $(CONVERSION)
	@! echo 'func convert(_ x: Double) -> Int { Int(x) }' | $(CONVERSION) 2>/dev/null || { \
		echo "Int(floating point) compiles: Numbers does not hide it"; exit 1; }

# `make check` leaves out tests of more than a second; `make test` runs them.
SLOW_SWIFT := RealtimeSafetyTests|EvaluationTests|DeviceTests\.(ArrayBridge|Supervisor|DeviceRecorder)Tests
SLOW_SWIFT := $(SLOW_SWIFT)|RenderTests\.(TurningTone|TiltedHead|RenderHealing)Tests|EffectsTests\.(PitchQuality|Formant)Tests
SLOW_SWIFT := $(SLOW_SWIFT)|SynthesisTests\.AmbisonicEncodingTests|MediaTests\.LoudnessMeterTests|TrackersTests\.TrackerManagerTests
SLOW_SWIFT := $(SLOW_SWIFT)|WebTests\.(Attack|CameraSocket|CameraVoice|Clients|Secure)Tests|aSlowClient|aNetworkThatTakesNothing
SLOW_SWIFT := $(SLOW_SWIFT)|theTextFollowsListeners|aDiskThatDoesNotAnswer|microphonesHearTheExactSphere|partialsAreWithinACent
check-swift: $(BUILT) | $(RESULTS)
	.ci/tidy $(SWIFT_TEST) --skip '$(SLOW_SWIFT)' $(EVENTS)/swift.jsonl
	@$(MAKE) --no-print-directory test-conversions

# ThreadSanitizer: in `make test` over Crossing, by which all threads exchange data, in `make test-long` over everything that two threads
# share. It does not see the waiting of Swift's Mutex: the file names what that would report.
THREADED_TARGETS := CrossingTests,EffectsTests,RenderTests,EngineTests,HubTests,MediaTests,DeviceTests,WebTests,MQTTTests
THREADED_TARGETS := $(THREADED_TARGETS),OSCControlTests,TrackersTests
THREADED := CrossingTests|RackThreadsTests|RenderThreadsTests|InnerHalfTests|EngineTests|HubTests|MediaTests|DeviceTests|WebTests
THREADED := $(THREADED)|MQTTTests|OSCControlTests|TrackersTests
# Suites of these targets that run on one thread or have the same threads as others, and simulations and floods that take minutes in this
# build.
UNTHREADED := MediaTests\.(Damaged|FolderRecording|HRTFFiles|LoopSeam|LoudnessMeter|RecordingReader|Resampler|SceneDescription|SoundWriter)
UNTHREADED := $(UNTHREADED)|InnerHalfTests.soundsLikeTheOuterHalf|DeviceTests.ArrayBridgeTests|clocksThatDriftApart|aFloodIsCounted
UNTHREADED := $(UNTHREADED)|InputClockTests.twoClocksAreKeptInStep|EngineTests.CueTextTests|EngineTests.OutputSessionTests
UNTHREADED := $(UNTHREADED)|OSCControlTests\.(Pattern|ADMPosition)Tests|IcecastTests.addressesOfMountPointsAreRead
UNTHREADED := $(UNTHREADED)|EngineTests\.(Deck|CueEditing|CueTrigger|MIDI|ObjectList|RackEditor|LooperControl|ListenerDescription)Tests
UNTHREADED := $(UNTHREADED)|WebTests\.NamespaceTextTests|namesThatAreNoNamesAreRefused|nothingOutsideOfTheFolderIsServed
UNTHREADED := $(UNTHREADED)|cachedAddressesGiveTheSameResult|randomAndDamagedPacketsAreHandledSafely|dispatcherAndHubAgreeOnEveryMessage
# Whole modules compile in half the time also where nothing is optimized.
WHOLE_MODULES := -Xswiftc -wmo -Xswiftc -num-threads -Xswiftc 1 -debug-info-format none
SANITIZE_THREADS := $(WHOLE_MODULES) --scratch-path .build-threads --sanitize=thread
build-threads test-threads build-all-threads test-all-threads: \
	export TSAN_OPTIONS = halt_on_error=1 suppressions=$(CURDIR)/Tests/Support/thread-sanitizer.txt
build-threads test-threads: export ONLY_TESTS = CrossingTests
build-all-threads test-all-threads: export ONLY_TESTS = $(THREADED_TARGETS)
build-threads build-all-threads: packages
	swift build --build-tests $(SANITIZE_THREADS)
test-threads: build-threads
	$(LIMIT) 3600 .ci/tidy swift test --skip-build $(SANITIZE_THREADS) --filter CrossingTests
test-all-threads: build-all-threads | $(RESULTS)
	$(LIMIT) 9000 .ci/tidy swift test --skip-build $(SANITIZE_THREADS) --filter '$(THREADED)' --skip '$(UNTHREADED)'

# RealtimeSanitizer over a render in which every parameter moves; it is linked to the tests that `make test-swift` builds. The canary is a
# test that must fail: it shows that the sanitizer works.
RTSAN = $(shell ls $$(dirname $$(dirname $$(readlink -f $$(command -v swiftc))))/lib/clang/*/lib/linux/libclang_rt.rtsan-$$(uname -m).a)
SANITIZED = REALTIME_SANITIZER=$(RTSAN) swift
REALTIME = $(SANITIZED) test $(DEVELOPMENT) --skip-build --filter RealtimeSafetyTests
test-realtime: $(BUILT) | $(RESULTS)
	$(SANITIZED) build --build-tests $(DEVELOPMENT)
	$(REALTIME) | tee $(RESULTS)/sanitizer.txt
	@grep -q 'checked by RealtimeSanitizer: true' $(RESULTS)/sanitizer.txt
	@if CANARY=1 $(REALTIME) >$(RESULTS)/canary.txt 2>&1; then \
		echo "the canary test passed: RealtimeSanitizer is not active"; exit 1; fi
	@grep -q 'Intercepted call to real-time unsafe function' $(RESULTS)/canary.txt
	@echo "the canary test failed as expected: RealtimeSanitizer is active"

# libFuzzer over all input from outside, one target after another. Findings are kept beside the corpus.
FUZZ_RUNS ?= 10000000
FUZZ_TARGETS := osc json http session trackers engine midi streams cameras
FUZZER := .build-fuzz/release/Fuzz
# Memory that an engine frees is returned at once, so that the limit of 2 GiB counts what is in use.
FUZZ = MALLOC_MMAP_THRESHOLD_=65536 FUZZ_TARGET=$$target $(FUZZER) -timeout=60 \
	-max_len=$$([ $$target = trackers ] && echo 160 || echo 4096) -artifact_prefix=.build-fuzz/$$target-
FUZZ_CORPUS = $$(ls -d Tests/Fuzz/corpus/$$target 2>/dev/null || true)
build-fuzz: packages
	FUZZ=1 swift build -c release -debug-info-format none --scratch-path .build-fuzz --product Fuzz \
		-Xswiftc -sanitize=fuzzer -Xswiftc -enable-testing -Xswiftc -Xclang-linker -Xswiftc -fuse-ld=lld

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
test-counts: $(BUILT)
	$(DEVELOPED) bench --counts

# In a single thread, since Node may wait for its other threads forever at its end (nodejs/node#54918).
NODE_TEST = node --single-threaded --test --test-timeout=1800000 --test-reporter=spec --test-reporter-destination=stdout \
	--test-reporter=junit --test-reporter-destination
test-panel: test-packages renderer | $(RESULTS)
	$(NODE_TEST)=$(RESULTS)/panel.xml web/test

# Without what takes longer than some seconds.
check-panel: renderer | $(RESULTS)
	CHECK=1 $(NODE_TEST)=$(RESULTS)/panel.xml web/test

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

# What the integration tests use besides the program.
test-tools: test-packages .venv $(EXTRACTED)

# Files of tests are shared out among half as many processes again as there are cores: engines and tests wait for each other a third of
# the time. `make test-pages` has as many as there are cores: pages play in real time.
PYTEST = PROMTOOL=.venv/bin/promtool $(PYTHON) -m pytest -q -p no:cacheprovider --timeout=900
TEST_PROGRAM = VESTIBULE=$(CURDIR)/$(DEVELOPED)
BESIDE := --dist loadfile --no-loadscope-reorder
PROCESSES := $(shell echo $$(($$(nproc) * 3 / 2)))
test-integration: $(BUILT) test-tools | $(RESULTS)
	$(TEST_PROGRAM) $(PYTEST) $(BESIDE) -n $(PROCESSES) -m 'not page or gate' --junitxml=$(RESULTS)/integration.xml Tests/Integration

# Pages in browsers that play and draw in real time, beside engines that do: a machine that holds one of the two up for seconds shows
# faults that no change has made. One folder or file alone: make test-pages ONLY=panel
test-pages: $(BUILT) test-tools | $(RESULTS)
	$(TEST_PROGRAM) $(PYTEST) $(BESIDE) -n auto -m page --junitxml=$(RESULTS)/pages.xml $(addprefix Tests/Integration/,$(or $(ONLY),.))

# A part that reaches every module, without browsers and sound servers.
SMOKE := support/test_waiting commands/test_additions sources/test_symbol_links commands/test_documentation commands/test_figures_in_docs \
	commands/test_log commands/test_render engine/test_serve engine/test_rack network/test_websocket network/test_access
check-integration: $(BUILT) .venv | $(RESULTS)
	$(TEST_PROGRAM) $(PYTEST) -n 2 --dist loadfile --junitxml=$(RESULTS)/integration.xml $(SMOKE:%=Tests/Integration/%.py)

# Times, rates, losses and memory, with the program that `make build` makes: tests that assert no figure in `make test` measure it here,
# one after another, and keep the best of three attempts. Ends with a table and a JSON file; no figure makes it fail.
# One folder or file of the integration tests alone: make measure ONLY=cameras
FIGURES := .build/figures
measure: build build-tests test-tools | $(RESULTS)
	@rm -rf $(FIGURES) && mkdir -p $(FIGURES)
	-MEASURE=$(FIGURES)/integration.json $(PYTEST) --reruns 2 $(addprefix Tests/Integration/,$(or $(ONLY),.))
ifndef ONLY
	-MEASURE=1 $(SWIFT_TEST) --filter Figures | tee $(FIGURES)/swift.txt
	-MEASURE=1 node --test web/test | tee $(FIGURES)/panel.txt
	-$(PROGRAM) bench | tee $(FIGURES)/bench.txt
endif
	.ci/figures.py $(FIGURES)

clean:
	rm -rf .build .build-tests .build-threads .build-fuzz .venv demo
