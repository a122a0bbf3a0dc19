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

.PHONY: help run build renderer site build-fuzz bench packages test-packages clean fuzz
.PHONY: check check-swift check-panel check-integration
.PHONY: test test-rules test-conversions test-swift build-threads test-threads test-realtime test-panel test-fuzz
.PHONY: test-integration test-computing test-waiting test-alone

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

# Both end with the slowest tests and the whole time, which should stay below 40 and 4 minutes on two cores, builds included. Tests of the
# sanitizers are left out of the list: many run at a time, so that their times say nothing about them.
# `make test` gives all tests the program that is built with the Swift tests. It differs from that of `make build` in that internal
# declarations can be reached from outside, and costs no build of its own.
test:
	+@.ci/slowest.py 40 $(SWIFT_TIMES) $(TIMES)/panel.xml $(TIMES)/integration-{computing,waiting,alone}.xml -- \
		$(MAKE) --no-print-directory every-test VESTIBULE=$(CURDIR)/.build-tests/release/vestibule

check:
	+@.ci/slowest.py 4 $(TIMES)/check-swift.jsonl $(TIMES)/check-panel.xml $(TIMES)/check-integration.xml \
		-- $(MAKE) --no-print-directory every-check

.PHONY: every-test every-check
# Sanitizers are built beside tests that use one core, and run beside tests that mostly wait.
every-test: test-rules build-tests | $(TIMES)
	+@result=0; \
		nice -n 19 $(MAKE) --no-print-directory build-threads build-fuzz >$(TIMES)/sanitizers.log 2>&1 & beside=$$!; \
		$(MAKE) --no-print-directory -k test-swift test-realtime test-panel test-counts || result=$$?; \
		wait $$beside || { cat $(TIMES)/sanitizers.log; result=1; }; \
		$(MAKE) --no-print-directory test-computing || result=$$?; \
		nice -n 19 $(MAKE) --no-print-directory -k test-threads test-fuzz >$(TIMES)/sanitized.log 2>&1 & beside=$$!; \
		$(MAKE) --no-print-directory test-waiting || result=$$?; \
		wait $$beside || result=$$?; \
		grep -vE '^(◇|✔) (Test|Suite) [^r]' $(TIMES)/sanitized.log || true; \
		$(MAKE) --no-print-directory test-alone || result=$$?; \
		exit $$result
# The Swift tests use one core, and the others run beside them.
every-check: test-rules build-tests
	+@$(MAKE) --no-print-directory -j2 --output-sync=target check-swift check-panel check-integration

# Writes what is derived from the declarations of parameters, methods and topics: tables in protocol/ and modules of web/.
.PHONY: protocol
protocol: build-tests
	UPDATE_PROTOCOL=1 $(SWIFT_TEST) --filter '^ProtocolTests|TelemetryTopicTests|GeneratedFiles'

# Rules that no compiler checks: the layout (`swift format -i -r …` repairs it), no unfinished work, no Foundation on the realtime path,
# a reason above every unsafe promise, files opened only as a RegularFile (which never waits for a FIFO or a device),
# no fixed waiting times in tests, no random numbers in tests without a printed seed, no line over 140 columns,
# no file of more than 400 lines, no folder of more than 25 files, no comment that opens with a question word, no type name twice,
# no long subject of a commit.
OPENING_C := O_RDONLY|fopen\(|freopen\(|ifstream|sf_open\(|sf_open_virtual\(|mysofa_(load|open)\(|BIO_new_file
OPENING_SWIFT := FileHandle\(forReading|InputStream\(|(Data|String)\(contentsOf|contents\(atPath
WRITING := createFile\(|\.write\(to: *(URL|url\b|file\b|path\b|folder)|atomically:|forWriting|sf_open|fopen\(.*"[wa]|O_CREAT|mkstemp
UNSEEDED_SWIFT := SystemRandomNumberGenerator|\.random\((in: [^,]*)?\)|randomElement\(\)|shuffled\(\)|SeededRandom\(seed: [0-9]|arc4random
UNSEEDED_PYTHON := default_rng\(|random\.Random\(|urandom|secrets\.token|import random$$
TYPE_NAME := ^(public |package |internal |open )?(final |indirect )?(class|struct|enum|protocol|actor) [A-Z][A-Za-z0-9]*
# Types of Sources/Browser that stand in for those of other modules when the renderer is compiled for browsers.
STAND_INS := FourierTransform|ListenerRacks
# Commits from this time on have short subjects.
SUBJECTS_SINCE := 2026-11-26T18:00:00Z
# Commits from this time on have subjects that state a result, not the work.
SUBJECTS_PLAIN_SINCE := 2026-11-27T06:00:00Z
PROSE_AND_CODE := '*.md' '*.swift' '*.js' '*.py' '*.css' '*.html' '*.c' '*.h' '*.conf' '*.service' '*.yml' '*.yaml' Makefile .ci
PROSE_AND_CODE := $(PROSE_AND_CODE) '*.json' '*.svg'
# Lines that cannot be wrapped: rows of tables in protocol/, and JSON's texts, each in a line of its own.
UNWRAPPED := ^protocol/[^:]*\.md:[0-9]+:\||^[^:]*\.json:[0-9]+: *("[^"]*" *: )?"([^"\\]|\\.)*",?$$
test-rules:
	swift format lint --strict -r Package.swift Sources Tests
	@! git grep -nwE 'TODO|FIXME|XXX' -- Sources Tests web protocol docs
	@! git grep -nE '^(public |package |internal )?import Foundation' -- Sources/Specification Sources/Parameters Sources/Crossing \
		Sources/RenderInterface Sources/DSP Sources/Binaural Sources/Effects Sources/RackCore Sources/Render Sources/RenderCore
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
	@! git grep -nE '^\s*(//+|/?\*+|#:?|""")\s*(What|Of|Whoever|Who|Whose|How|Why|Those|Which)\b|^\s*(///|/\*\*|""")\s*(Where|When)\b' \
		-- Sources Tests web || { \
		echo "open a comment with a noun phrase or a verb: see CONTRIBUTING.md"; exit 1; }
	@! git ls-files '*.swift' '*.py' '*.js' '*.css' '*.c' '*.h' | xargs wc -l | awk '$$2 != "total" && $$1 > 400' | grep . || { \
		echo "more than 400 lines: split it by duty"; exit 1; }
	@! git ls-files Sources Tests web docs benchmarks | xargs -n 1 dirname | sort | uniq -c | awk '$$1 > 25' | grep . || { \
		echo "more than 25 files: make sub-folders by duty"; exit 1; }
	@! { git grep -hoE '$(TYPE_NAME)' -- 'Sources/*.swift' | awk '{ print $$NF }' | sort | uniq -d | grep -vxE '$(STAND_INS)'; } || { \
		echo "two types with one name: see CONTRIBUTING.md"; exit 1; }
	@! { git log --since='$(SUBJECTS_SINCE)' --format='%h %s' | LC_ALL=C.UTF-8 grep -E '^[0-9a-f]+ .{101}|work in progress'; } || { \
		echo "the subject of a commit has at most 100 columns, and says what was done"; exit 1; }
	@! { git log --since='$(SUBJECTS_PLAIN_SINCE)' --format='%h %s' | \
		grep -E '^[0-9a-f]+ (Merged|Layout|Lines fit|[Ww]ip|fixup!|squash!)|shorter line'; } || { \
		echo "the subject of a commit has at most 100 columns, and says what was done"; exit 1; }
	@! git grep -nE '$(WRITING)' \
		-- Sources ':!Sources/FileOutput' ':!Sources/Media/SoundHandle.swift' || { \
		echo "write files by OutputFile, and open libsndfile by SoundHandle"; exit 1; }
	@! git grep -nE '$(UNSEEDED_SWIFT)' -- 'Tests/*.swift' ':!Tests/Support/SeededRandom+Test.swift' || { \
		echo "draw from SeededRandom"; exit 1; }
	@! git grep -nE '$(UNSEEDED_PYTHON)' -- 'Tests/*.py' ':!Tests/Integration/support/seeds.py' || { \
		echo "draw from a generator of seeds.py"; exit 1; }
	@! { git ls-files -z $(PROSE_AND_CODE) | LC_ALL=C.UTF-8 xargs -0 grep -nE '.{141}' | grep -vE '$(UNWRAPPED)'; } || { \
		echo "longer than 140 columns"; exit 1; }

# The tests are optimized as the program is, in a folder of their own: those that compute take a tenth of the time. They run one after
# another, because tests that run beside each other affect each other's times. `make test-realtime` runs RealtimeSafetyTests.
OPTIMIZED := -c release $(NATIVE) -Xswiftc -enable-testing -debug-info-format none --scratch-path .build-tests
.PHONY: build-tests
build-tests: packages renderer
	swift build --build-tests $(OPTIMIZED)
# The program under test.
BUILT := $(if $(VESTIBULE),build-tests,build)
# A test that hangs ends after this time, with the calls of all its threads.
LIMIT = SWIFT_BACKTRACE=enable=yes,threads=all,color=no,limit=40,images=none timeout --signal=ABRT --kill-after=60
SWIFT_TEST := swift test $(OPTIMIZED) --skip-build --experimental-maximum-parallelization-width 1
SWIFT_TIMES := $(TIMES)/swift.jsonl
# The tests that failed stand last, where a reader of the end of a long output finds them. With RETRIES=1 up to three of them, and any
# integration test, run a second time; both results are printed.
export RETRIES ?= 0
test-swift: build-tests | $(TIMES)
	@rm -f $(SWIFT_TIMES)
	$(LIMIT) 1500 .ci/tidy $(SWIFT_TEST) --skip '^RealtimeSafetyTests' \
		$(EVENTS) $(SWIFT_TIMES) || SWIFT_TEST='$(SWIFT_TEST)' .ci/failed.py $(SWIFT_TIMES)
	@$(MAKE) --no-print-directory test-conversions

# The conversions that trap are hidden from every module. The canary must not compile: it shows that they are.
MODULES := .build-tests/release
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
SLOW_SWIFT := $(SLOW_SWIFT)|WebControlTests\.(Attack|CameraSocket|CameraVoice|Clients|Secure)Tests|aSlowClient|aNetworkThatTakesNothing
SLOW_SWIFT := $(SLOW_SWIFT)|theTextFollowsListeners|aDiskThatDoesNotAnswer|microphonesHearTheExactSphere|partialsAreWithinACent
# Whole modules compile in half the time also where nothing is optimized.
WHOLE_MODULES := -Xswiftc -wmo -Xswiftc -num-threads -Xswiftc 1 -debug-info-format none
EVENTS = --event-stream-version 0 --event-stream-output-path
check-swift: build-tests | $(TIMES)
	@rm -f $(TIMES)/check-swift.jsonl
	.ci/tidy $(SWIFT_TEST) --skip '$(SLOW_SWIFT)' $(EVENTS) $(TIMES)/check-swift.jsonl
	@$(MAKE) --no-print-directory test-conversions

# ThreadSanitizer over everything that two threads share. It does not see the waiting of Swift's Mutex: the file names what that
# would report.
THREADED_TARGETS := CrossingTests,EffectsTests,RenderTests,EngineTests,HubTests,MediaTests,DeviceTests,WebControlTests,MQTTTests
THREADED_TARGETS := $(THREADED_TARGETS),OSCControlTests,TrackersTests
THREADED := CrossingTests|RackThreadsTests|RenderThreadsTests|InnerHalfTests|EngineTests|HubTests|MediaTests|DeviceTests|WebControlTests
THREADED := $(THREADED)|MQTTTests|OSCControlTests|TrackersTests
# Suites of these targets that run on one thread or have the same threads as others, and simulations and floods that take minutes in this
# build.
UNTHREADED := MediaTests\.(Damaged|FolderRecording|HRTFFiles|LoopSeam|LoudnessMeter|RecordingReader|Resampler|SceneDescription|SoundWriter)
UNTHREADED := $(UNTHREADED)|InnerHalfTests.soundsLikeTheOuterHalf|DeviceTests.ArrayBridgeTests|clocksThatDriftApart|aFloodIsCounted
UNTHREADED := $(UNTHREADED)|InputClockTests.twoClocksAreKeptInStep|EngineTests.CueTextTests|EngineTests.OutputSessionTests
UNTHREADED := $(UNTHREADED)|OSCControlTests\.(Pattern|ADMPosition)Tests|IcecastTests.addressesOfMountPointsAreRead
UNTHREADED := $(UNTHREADED)|EngineTests\.(Deck|CueEditing|CueTrigger|MIDI|ObjectList|RackEditor|LooperControl|ListenerDescription)Tests
UNTHREADED := $(UNTHREADED)|WebControlTests\.NamespaceTextTests|namesThatAreNoNamesAreRefused|nothingOutsideOfTheFolderIsServed
UNTHREADED := $(UNTHREADED)|cachedAddressesGiveTheSameResult|randomAndDamagedPacketsAreHandledSafely|dispatcherAndHubAgreeOnEveryMessage
SANITIZE_THREADS := $(WHOLE_MODULES) --scratch-path .build-threads --sanitize=thread
build-threads test-threads: export ONLY_TESTS = $(THREADED_TARGETS)
build-threads test-threads: export TSAN_OPTIONS = halt_on_error=1 suppressions=$(CURDIR)/Tests/Support/thread-sanitizer.txt
build-threads: packages
	swift build --build-tests $(SANITIZE_THREADS)
test-threads: build-threads
	$(LIMIT) 1200 .ci/tidy swift test --skip-build $(SANITIZE_THREADS) \
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
	$(or $(VESTIBULE),$(PROGRAM)) bench --counts

NODE_TEST = node --test --test-timeout=300000 --test-reporter=spec --test-reporter-destination=stdout \
	--test-reporter=junit --test-reporter-destination
test-panel: test-packages renderer | $(TIMES)
	$(NODE_TEST)=$(TIMES)/panel.xml web/test

# Without what takes longer than some seconds.
check-panel: renderer | $(TIMES)
	CHECK=1 $(NODE_TEST)=$(TIMES)/check-panel.xml web/test

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

# Tests/Integration/support/groups.py says which tests compute, which mostly wait, and which run one after another: many of these measure
# rates and latencies, which others on the same cores would disturb.
PYTEST = PROMTOOL=.venv/bin/promtool $(PYTHON) -m pytest -q -p no:cacheprovider --timeout=400 --durations=10 --reruns $(RETRIES)
test-integration: test-computing test-waiting test-alone
test-computing test-waiting test-alone: test-packages $(BUILT) .venv $(EXTRACTED) | $(TIMES)
	$(PYTEST) --junitxml=$(TIMES)/integration-$(@:test-%=%).xml -m $(@:test-%=%) $(BESIDE) Tests/Integration
test-computing test-waiting: BESIDE = -n 3 --dist loadfile --no-loadscope-reorder

# A part that reaches every module, without browsers and sound servers.
SMOKE := support/test_waiting commands/test_groups commands/test_additions sources/test_symbol_links commands/test_documentation \
	commands/test_log commands/test_render engine/test_serve engine/test_rack network/test_websocket network/test_access
check-integration: build-tests .venv | $(TIMES)
	VESTIBULE=$(CURDIR)/.build-tests/release/vestibule $(PYTHON) -m pytest -q -p no:cacheprovider -n 2 --dist loadfile \
		--junitxml=$(TIMES)/check-integration.xml $(SMOKE:%=Tests/Integration/%.py)

clean:
	rm -rf .build .build-tests .build-threads .build-fuzz .venv demo
