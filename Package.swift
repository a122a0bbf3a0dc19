// swift-tools-version: 6.2
import PackageDescription

let strict: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .treatAllWarnings(as: .error),
]

/// Every module of the program sees the conversions of floating-point numbers without an import, instead of the standard library's,
/// which trap.
let checked: [SwiftSetting] = strict + [.unsafeFlags(["-Xfrontend", "-import-module", "-Xfrontend", "Numbers"])]

func stage(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
    .target(name: name, dependencies: ["Numbers"] + dependencies, swiftSettings: checked)
}

/// Tests that compute for long.
let computing: Set = ["BinauralTests", "DSPTests", "EffectsTests", "EvaluationTests", "RenderTests", "SynthesisTests"]

func tests(_ name: String, _ dependencies: [Target.Dependency], links: [LinkerSetting] = []) -> Target {
    // Optimized code ends the life of a client, and with it the connection, after its last use in the text of a test.
    let unoptimized: [SwiftSetting] = computing.contains(name) ? [] : [.unsafeFlags(["-Onone"])]
    return .testTarget(name: name, dependencies: dependencies, swiftSettings: strict + unoptimized, linkerSettings: links)
}

/// The library of RealtimeSanitizer, named in REALTIME_SANITIZER: linked to the tests as a whole, without compiling anything again.
let sanitizer: [LinkerSetting] =
    Context.environment["REALTIME_SANITIZER"].map { library in
        let options = ["--whole-archive", library, "--no-whole-archive", "--export-dynamic", "-lstdc++", "-lm"]
        return [.unsafeFlags(options.flatMap { ["-Xlinker", $0] })]
    } ?? []

func system(_ name: String, pkgConfig: String, apt: String) -> Target {
    .systemLibrary(name: name, pkgConfig: pkgConfig, providers: [.apt([apt])])
}

/// The target of libFuzzer, which `make fuzz` builds with options of its own.
let fuzzing: [Target] =
    Context.environment["FUZZ"] == nil
    ? []
    : [
        .executableTarget(
            name: "Fuzz",
            dependencies: [
                "Parameters", "Crossing", "RenderInterface", "Hub", "OSCControl", "Pose", "Trackers", "Trust", "WebControl", "Rack",
                "Session", "Engine", "Device", "Files", "Media", "Render", "MIDI", "Streaming",
                "CRealtime",
            ],
            path: "Tests/Fuzz", exclude: ["corpus"], swiftSettings: strict)
    ]

/// The stages stand in the data's order: each depends only on stages above it.
let package = Package(
    name: "vestibule",
    products: [.executable(name: "vestibule", targets: ["vestibule"])],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2")
    ],
    targets: [
        system("CALSA", pkgConfig: "alsa", apt: "libasound2-dev"),
        system("CJACK", pkgConfig: "jack", apt: "libjack-jackd2-dev"),
        system("CFFTW", pkgConfig: "fftw3f", apt: "libfftw3-dev"),
        system("CLiblo", pkgConfig: "liblo", apt: "liblo-dev"),
        system("CWebSockets", pkgConfig: "libwebsockets", apt: "libwebsockets-dev"),
        .systemLibrary(name: "CEventLoop", providers: [.apt(["libev-dev"])]),
        system("CQRCode", pkgConfig: "libqrencode", apt: "libqrencode-dev"),
        system("COpus", pkgConfig: "opus", apt: "libopus-dev"),
        system("CSndFile", pkgConfig: "sndfile", apt: "libsndfile1-dev"),
        system("CSoxr", pkgConfig: "soxr", apt: "libsoxr-dev"),
        system("CLoudness", pkgConfig: "libebur128", apt: "libebur128-dev"),
        system("CArchive", pkgConfig: "libarchive", apt: "libarchive-dev"),
        system("CMySofa", pkgConfig: "libmysofa", apt: "libmysofa-dev"),
        system("CSystemd", pkgConfig: "libsystemd", apt: "libsystemd-dev"),
        system("CMosquitto", pkgConfig: "libmosquitto", apt: "libmosquitto-dev"),
        .target(name: "CBrokerGuard", dependencies: ["CMosquitto"]),
        .target(name: "CRealtime"),
        .target(name: "CBench"),
        .target(name: "CDatagram"),
        .target(name: "CSofa", dependencies: ["CMySofa"]),
        .target(
            name: "CRadio",
            linkerSettings: ["avformat", "avcodec", "avutil", "swresample"].map { .linkedLibrary($0) }),
        .target(name: "CVideo", linkerSettings: ["avformat", "avcodec", "avutil"].map { .linkedLibrary($0) }),
        .target(name: "CStreams", linkerSettings: ["avformat", "avcodec", "avutil"].map { .linkedLibrary($0) }),
        .target(name: "CServiceBus", linkerSettings: [.linkedLibrary("systemd")]),
        .target(name: "CCertificate", linkerSettings: [.linkedLibrary("crypto")]),
        .target(name: "CFrameMask", linkerSettings: [.linkedLibrary("ssl")]),

        .target(name: "Numbers", dependencies: ["CRealtime"], swiftSettings: strict),
        stage("FileOutput"),
        stage("Files", ["FileOutput"]),
        stage("Trust", ["FileOutput", "Files", "CCertificate"]),
        stage("Archives", ["FileOutput", "Files", "Trust", "CArchive"]),
        stage("MIDI"),
        stage("Links", ["MIDI", "CRealtime", "CDatagram", "CALSA"]),
        stage("Parameters"),
        stage("Crossing", ["CRealtime"]),
        stage("RenderInterface", ["Parameters", "Crossing", "CRealtime"]),
        stage("DSP", ["CRealtime", "CFFTW"]),
        stage("Binaural", ["DSP", "CRealtime"]),
        stage("Effects", ["Parameters", "DSP", "CRealtime"]),
        stage("Rack", ["Parameters", "Crossing", "DSP", "Effects", "CRealtime"]),
        stage(
            "Media",
            [
                "FileOutput", "Files", "Parameters", "Crossing", "Binaural", "CRealtime", "CSndFile", "CSoxr", "CLoudness", "CMySofa",
                "CSofa", "CRadio", "CVideo",
            ]),
        stage("Synthesis", ["FileOutput", "Binaural", "DSP", "Media"]),
        stage("LiveInputs", ["Crossing", "DSP", "CRealtime"]),
        stage("RenderCore", ["LiveInputs", "DSP", "Binaural", "Effects", "Rack", "CRealtime"]),
        stage("Render", ["Parameters", "Crossing", "RenderInterface", "DSP", "Binaural", "Rack", "RenderCore", "CRealtime"]),
        stage("Device", ["FileOutput", "DSP", "Render", "Crossing", "Media", "CRealtime", "CALSA", "CJACK"]),
        stage("Pose", ["FileOutput", "Files", "Parameters", "Crossing", "RenderInterface"]),
        stage("Evaluation", ["Parameters", "Crossing", "RenderInterface", "DSP", "Binaural", "Render", "Pose", "CRealtime"]),
        stage("Session", ["FileOutput", "Files", "Parameters", "Effects", "Rack"]),
        stage("ListeningTest", ["Binaural", "DSP", "Session"]),
        stage("Hub", ["Parameters", "Crossing", "RenderInterface", "Pose", "CRealtime"]),
        stage(
            "Engine",
            [
                "FileOutput", "Files", "Parameters", "Crossing", "RenderInterface", "DSP", "Binaural", "Effects", "Rack", "Media",
                "LiveInputs", "RenderCore", "Render",
                "Device",
                "Pose", "Session", "ListeningTest", "Hub", "MIDI", "Archives",
                "CRealtime",
            ]),
        stage("Streaming"),
        stage("Packages", ["FileOutput", "Files", "Media", "Trust", "CRealtime"]),
        stage("Announcement", ["CServiceBus"]),
        stage("OSCControl", ["MIDI", "Crossing", "Pose", "Hub", "Parameters", "CRealtime", "CDatagram", "CLiblo"]),
        stage("MQTT", ["Files", "Session", "Streaming", "Hub", "OSCControl", "Parameters", "CRealtime", "CMosquitto", "CBrokerGuard"]),
        stage("Trackers", ["Links", "Hub", "OSCControl", "Pose", "Parameters", "CRealtime", "CSystemd"]),
        stage(
            "WebControl",
            [
                "FileOutput", "Files", "Crossing", "RenderInterface", "DSP", "Media", "Hub", "Trust", "OSCControl", "Parameters",
                "Streaming", "CRealtime", "CQRCode", "CWebSockets", "COpus", "CEventLoop", "CFrameMask",
                "CStreams",
            ]),
        stage(
            "Bench",
            [
                "FileOutput", "Files", "Parameters", "Crossing", "RenderInterface", "DSP", "Binaural", "Effects", "Media", "RenderCore",
                "Render",
                "Device", "Pose",
                "Evaluation", "Hub", "Engine",
                "OSCControl", "CRealtime", "CBench",
            ]),
        .executableTarget(
            name: "vestibule",
            dependencies: [
                "FileOutput", "Files", "Parameters", "Crossing", "RenderInterface", "DSP", "Binaural", "Effects", "Rack", "Media",
                "Synthesis", "LiveInputs", "RenderCore",
                "Render", "Device",
                "Pose",
                "Evaluation", "Session", "ListeningTest", "Hub", "Engine", "Streaming", "Trust", "Archives", "Packages", "Announcement",
                "MQTT", "OSCControl",
                "MIDI", "Links",
                "Trackers", "WebControl",
                "Bench",
                "CRealtime",
                "Numbers",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            swiftSettings: checked),

        tests("FileOutputTests", ["FileOutput"]),
        tests("NumbersTests", ["Numbers"]),
        tests("MIDITests", ["TestSupport", "DSP", "MIDI"]),
        tests("LinksTests", ["TestSupport", "Links", "MIDI"]),
        tests("FilesTests", ["TestSupport", "Files"]),
        tests("ArchivesTests", ["TestSupport", "Archives", "FileOutput", "CArchive"]),
        tests("ParametersTests", ["Parameters"]),
        tests("DSPTests", ["TestSupport", "DSP"]),
        tests("BinauralTests", ["TestSupport", "Binaural", "DSP"]),
        tests("EffectsTests", ["TestSupport", "Effects", "Rack", "Parameters", "Crossing", "DSP", "CRealtime"]),
        .target(
            name: "TestSupport",
            dependencies: ["RenderCore", "Render", "Binaural", "DSP", "Crossing", "RenderInterface", "Parameters", "Pose"],
            path: "Tests/Support", exclude: ["thread-sanitizer.txt"], swiftSettings: strict),
        tests(
            "RenderTests",
            [
                "TestSupport", "LiveInputs", "RenderCore", "Render", "Effects", "Rack", "DSP", "Binaural", "Crossing", "RenderInterface",
                "Parameters", "Pose",
            ]),
        tests(
            "RealtimeSafetyTests",
            [
                "TestSupport", "LiveInputs", "RenderCore", "Render", "Binaural", "DSP", "Effects", "Rack", "Crossing", "RenderInterface",
                "Parameters", "Pose", "CRealtime",
            ], links: sanitizer),
        tests("ProtocolTests", ["Parameters", "Binaural", "Effects", "Rack"]),
        tests("PoseTests", ["TestSupport", "DSP", "RenderInterface", "Pose", "Parameters"]),
        tests("EvaluationTests", ["TestSupport", "Evaluation", "Binaural", "DSP"]),
        .testTarget(
            name: "SessionTests", dependencies: ["TestSupport", "DSP", "Session", "Effects", "Rack", "Parameters"], exclude: ["Files"],
            swiftSettings: strict),
        tests("DeviceTests", ["TestSupport", "DSP", "Device", "Render", "Crossing", "CRealtime", "Parameters", "RenderInterface"]),
        tests("ListeningTestTests", ["TestSupport", "ListeningTest", "DSP"]),
        tests("HubTests", ["TestSupport", "DSP", "Hub", "Parameters", "Crossing", "RenderInterface"]),
        tests(
            "EngineTests",
            [
                "TestSupport", "Binaural", "Effects", "Engine", "Device", "Render", "RenderInterface", "Media", "Rack", "Session",
                "ListeningTest", "Hub", "Pose",
                "Parameters",
                "Crossing", "MIDI",
                "CRealtime",
            ]),
        tests("CrossingTests", ["Crossing"]),
        tests("MediaTests", ["TestSupport", "DSP", "FileOutput", "Files", "Media", "Binaural", "Crossing", "CSndFile", "CSofa"]),
        tests("SynthesisTests", ["TestSupport", "FileOutput", "Synthesis", "Media", "Binaural", "DSP"]),
        tests(
            "OSCControlTests",
            [
                "TestSupport", "DSP", "CLiblo", "OSCControl", "Hub", "Parameters", "Crossing", "RenderInterface", "Pose", "CRealtime",
                "CDatagram",
            ]),
        tests("StreamingTests", ["DSP", "Streaming"]),
        tests("MQTTTests", ["TestSupport", "DSP", "MQTT", "Hub", "Parameters", "RenderInterface", "Session"]),
        tests("TrustTests", ["TestSupport", "Trust"]),
        tests(
            "TrackersTests",
            ["TestSupport", "Trackers", "OSCControl", "Hub", "Parameters", "Crossing", "RenderInterface", "Pose", "CRealtime"]),
        tests(
            "WebControlTests",
            [
                "TestSupport", "DSP", "WebControl", "Streaming", "Trust", "OSCControl", "Hub", "Parameters", "Crossing", "RenderInterface",
                "CRealtime", "COpus",
            ]),
    ] + fuzzing
)

/// Sanitizers build the tests that they need, named in ONLY_TESTS and separated by commas, and what these use.
if var waiting = Context.environment["ONLY_TESTS"]?.split(separator: ",").map(String.init) {
    var kept: Set<String> = []
    while let name = waiting.popLast() {
        guard kept.insert(name).inserted, let target = package.targets.first(where: { $0.name == name }) else { continue }
        for dependency in target.dependencies { if case .byNameItem(let name, _) = dependency { waiting.append(name) } }
    }
    (package.targets, package.products) = (package.targets.filter { kept.contains($0.name) }, [])
}
