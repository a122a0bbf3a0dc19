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

/// Modules that wait for files, networks and people, and compute little for each frame of sound. A development build, plain `swift build`,
/// compiles them file by file without optimization: in a third of the time, and in two seconds after a change of one file. The program that
/// is installed, `swift build -c release`, has it.
let control: Set = [
    "Threads",
    "FileOutput", "Files", "Trust", "Archives", "MIDI", "Links", "Session", "ListeningTest", "Engine", "Packages", "Announcement",
    "MQTT", "Trackers", "Web", "MediaLibrary", "Participants", "ListenerStreams", "Cameras", "Broadcast", "Query", "Budgets", "vestibule",
]

/// Tests that sanitizers need, named in ONLY_TESTS and separated by commas; `make test-threads`.
let onlyTests = Context.environment["ONLY_TESTS"]?.split(separator: ",").map(String.init)

/// What computes is as fast in a development build as in a release.
let optimized: [SwiftSetting] =
    onlyTests == nil ? [.unsafeFlags(["-O", "-whole-module-optimization", "-num-threads", "4"], .when(configuration: .debug))] : []
let optimizedC: [CSetting] = [.unsafeFlags(["-O2"], .when(configuration: .debug))]

func settings(_ name: String) -> [SwiftSetting] { control.contains(name) ? checked : checked + optimized }

/// A module by its folder in Sources: wing and name.
func stage(_ folder: String, _ dependencies: [Target.Dependency] = []) -> Target {
    let name = String(folder.split(separator: "/")[1])
    return .target(name: name, dependencies: ["Numbers"] + dependencies, path: "Sources/\(folder)", swiftSettings: settings(name))
}

/// Tests that compute for long.
let computing: Set = ["BinauralTests", "DSPTests", "DeviceTests", "EffectsTests", "EvaluationTests", "SynthesisTests"]
let compiledWhole: [SwiftSetting] = [.unsafeFlags(["-whole-module-optimization", "-num-threads", "1"])]

func tests(_ name: String, _ dependencies: [Target.Dependency], exclude: [String] = [], links: [LinkerSetting] = []) -> Target {
    // Elsewhere optimized code would end the life of a client, and with it the connection, after its last use in the text of a test.
    let settings = computing.contains(name) ? strict + optimized : strict + compiledWhole
    return .testTarget(
        name: name, dependencies: dependencies, exclude: exclude, swiftSettings: settings, linkerSettings: links)
}

/// The library of RealtimeSanitizer, named in REALTIME_SANITIZER: linked to the tests as a whole, without compiling anything again.
let sanitizer: [LinkerSetting] =
    Context.environment["REALTIME_SANITIZER"].map { library in
        let options = ["--whole-archive", library, "--no-whole-archive", "--export-dynamic", "-lstdc++", "-lm"]
        return [.unsafeFlags(options.flatMap { ["-Xlinker", $0] })]
    } ?? []

func system(_ name: String, pkgConfig: String? = nil, apt: String) -> Target {
    .systemLibrary(name: name, path: "Sources/Libraries/\(name)", pkgConfig: pkgConfig, providers: [.apt([apt])])
}

/// A target of C code.
func code(_ name: String, _ dependencies: [Target.Dependency] = [], libraries: [String] = []) -> Target {
    .target(
        name: name, dependencies: dependencies, path: "Sources/Libraries/\(name)", cSettings: optimizedC,
        linkerSettings: libraries.map { .linkedLibrary($0) })
}

/// The target of libFuzzer, which `make fuzz` builds with options of its own.
let fuzzing: [Target] =
    Context.environment["FUZZ"] == nil
    ? []
    : [
        .executableTarget(
            name: "Fuzz",
            dependencies: [
                "Parameters", "Crossing", "RenderInterface", "Hub", "OSCControl", "Pose", "Trackers", "Trust", "Web", "Cameras",
                "ListenerStreams", "Query", "Rack",
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
        system("CEventLoop", apt: "libev-dev"),
        system("CQRCode", pkgConfig: "libqrencode", apt: "libqrencode-dev"),
        system("COpus", pkgConfig: "opus", apt: "libopus-dev"),
        system("CSndFile", pkgConfig: "sndfile", apt: "libsndfile1-dev"),
        system("CSoxr", pkgConfig: "soxr", apt: "libsoxr-dev"),
        system("CLoudness", pkgConfig: "libebur128", apt: "libebur128-dev"),
        system("CArchive", pkgConfig: "libarchive", apt: "libarchive-dev"),
        system("CHDF5", pkgConfig: "hdf5-serial", apt: "libhdf5-dev"),
        system("CSystemd", pkgConfig: "libsystemd", apt: "libsystemd-dev"),
        system("CMosquitto", pkgConfig: "libmosquitto", apt: "libmosquitto-dev"),
        code("CBrokerGuard", ["CMosquitto"]),
        code("CRealtime"),
        code("CBench"),
        code("CDatagram"),
        code("CSofa", ["CHDF5"]),
        code("CConnection", libraries: ["avformat", "avcodec", "avutil", "swresample"]),
        code("CVideo", libraries: ["avformat", "avcodec", "avutil"]),
        code("CStreams", libraries: ["avformat", "avcodec", "avutil"]),
        code("CServiceBus", libraries: ["systemd"]),
        code("CCertificate", libraries: ["crypto"]),
        code("CFrameMask", libraries: ["ssl"]),

        .target(name: "Numbers", dependencies: ["CRealtime"], path: "Sources/Realtime/Numbers", swiftSettings: strict + optimized),
        stage("Control/Threads", ["CRealtime"]),
        stage("Files/FileOutput"),
        stage("Files/Files", ["FileOutput"]),
        stage("Network/Trust", ["FileOutput", "Files", "CCertificate"]),
        stage("Files/Archives", ["FileOutput", "Files", "Trust", "CArchive"]),
        stage("Network/MIDI"),
        stage("Network/Links", ["Threads", "MIDI", "CRealtime", "CDatagram", "CALSA"]),
        stage("Realtime/DSP", ["CRealtime", "CFFTW"]),
        stage("Realtime/Specification", ["DSP"]),
        stage("Control/Parameters", ["Specification", "DSP"]),
        stage("Realtime/Crossing", ["CRealtime"]),
        stage("Realtime/RenderInterface", ["Parameters", "Crossing", "CRealtime"]),
        stage("Realtime/Binaural", ["DSP", "CRealtime"]),
        stage("Realtime/Effects", ["Specification", "DSP", "CRealtime"]),
        stage("Realtime/RackCore", ["DSP", "Effects", "CRealtime"]),
        stage("Realtime/Rack", ["Parameters", "Crossing", "DSP", "Effects", "RackCore", "CRealtime"]),
        stage(
            "Files/Media",
            [
                "Threads", "FileOutput", "Files", "DSP", "Parameters", "Crossing", "Binaural", "CRealtime", "CSndFile", "CSoxr",
                "CLoudness",
                "CSofa", "CConnection", "CVideo",
            ]),
        stage("Files/Synthesis", ["FileOutput", "Binaural", "DSP", "Media"]),
        stage("Realtime/RenderCore", ["DSP", "Binaural", "Effects", "RackCore", "CRealtime"]),
        stage(
            "Realtime/Render",
            ["Parameters", "Crossing", "RenderInterface", "DSP", "Binaural", "Effects", "Rack", "RenderCore", "CRealtime"]),
        stage(
            "Realtime/Device",
            ["Threads", "Parameters", "DSP", "Binaural", "Render", "Crossing", "Media", "CRealtime", "CALSA", "CJACK"]),
        stage("Control/Pose", ["FileOutput", "Files", "DSP", "Parameters", "Crossing", "RenderInterface"]),
        stage(
            "Programs/Evaluation",
            ["Threads", "Parameters", "Crossing", "RenderInterface", "DSP", "Binaural", "RenderCore", "Render", "Pose", "CRealtime"]),
        stage("Control/Session", ["FileOutput", "Files", "Parameters", "Effects", "Rack"]),
        stage("Features/ListeningTest", ["Binaural", "DSP", "Session"]),
        stage("Control/Hub", ["Threads", "Parameters", "Crossing", "RenderInterface", "Pose", "CRealtime"]),
        stage(
            "Features/Engine",
            [
                "Threads", "FileOutput", "Files", "Parameters", "Crossing", "RenderInterface", "DSP", "Binaural", "Effects", "Rack",
                "Media",
                "RackCore", "RenderCore", "Render",
                "Device",
                "Pose", "Session", "ListeningTest", "Hub", "MIDI", "Archives", "Trust",
                "CRealtime",
            ]),
        stage("Network/Streaming"),
        stage("Files/Packages", ["Threads", "FileOutput", "Files", "Media", "Trust", "CRealtime"]),
        stage("Network/Announcement", ["Threads", "CServiceBus"]),
        stage("Network/OSCControl", ["Threads", "MIDI", "Crossing", "Pose", "Hub", "Parameters", "CRealtime", "CDatagram", "CLiblo"]),
        stage(
            "Network/MQTT",
            ["Threads", "Files", "Session", "Streaming", "Hub", "OSCControl", "Parameters", "CRealtime", "CMosquitto", "CBrokerGuard"]),
        stage("Network/Trackers", ["Threads", "Links", "Hub", "OSCControl", "Pose", "Parameters", "CRealtime", "CSystemd"]),
        stage(
            "Network/Web",
            [
                "Threads", "FileOutput", "Files", "Parameters", "Hub", "Trust", "OSCControl", "CRealtime", "CQRCode", "CWebSockets",
                "CEventLoop", "CFrameMask",
            ]),
        stage("Features/MediaLibrary", ["FileOutput", "Files", "Media", "Hub", "Trust", "Web", "CRealtime"]),
        stage("Features/Participants", ["Web"]),
        stage(
            "Features/ListenerStreams",
            [
                "Threads", "FileOutput", "Files", "Parameters", "Crossing", "DSP", "Binaural", "Render", "Media", "Streaming", "Hub", "Web",
                "CRealtime", "COpus", "CStreams",
            ]),
        stage(
            "Features/Cameras",
            [
                "Threads", "FileOutput", "Files", "Crossing", "DSP", "Media", "Streaming", "Hub", "Web", "ListenerStreams", "CRealtime",
                "COpus",
            ]),
        stage(
            "Features/Broadcast",
            [
                "Threads", "Files", "Parameters", "Media", "Streaming", "Hub", "Trust", "Web", "ListenerStreams", "CRealtime", "CStreams",
            ]),
        stage(
            "Features/Query",
            [
                "FileOutput", "Files", "Parameters", "RenderInterface", "Hub", "Streaming", "Trust", "OSCControl", "Web", "ListenerStreams",
                "CRealtime",
            ]),
        stage("Programs/Budgets", ["FileOutput", "Files"]),
        stage(
            "Programs/Bench",
            [
                "Budgets", "Files", "Parameters", "Crossing", "RenderInterface", "DSP", "Binaural", "Effects", "Media",
                "RenderCore",
                "Render",
                "Device", "Pose",
                "Evaluation", "Hub", "Engine",
                "OSCControl", "CRealtime", "CBench",
            ]),
        .executableTarget(
            name: "vestibule",
            dependencies: [
                "Threads",
                "FileOutput", "Files", "Parameters", "Crossing", "RenderInterface", "Binaural", "Effects", "Rack", "Media",
                "Synthesis", "RenderCore",
                "Render", "Device",
                "Pose",
                "Evaluation", "Session", "ListeningTest", "Hub", "Engine", "Trust", "Archives", "Packages", "Announcement",
                "MQTT", "OSCControl",
                "Links",
                "Trackers", "Web", "MediaLibrary", "Participants", "ListenerStreams", "Cameras", "Broadcast", "Query",
                "Budgets", "Bench",
                "CRealtime",
                "Numbers",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            path: "Sources/Programs/vestibule", swiftSettings: settings("vestibule")),

        tests("FileOutputTests", ["TestSupport", "FileOutput"]),
        tests("NumbersTests", ["Numbers"]),
        tests("ThreadsTests", ["TestSupport", "Threads"]),
        tests("MIDITests", ["TestSupport", "DSP", "MIDI"]),
        tests("LinksTests", ["TestSupport", "Links", "MIDI", "CALSA"]),
        tests("FilesTests", ["TestSupport", "Files"]),
        tests("ArchivesTests", ["Archives", "FileOutput"]),
        tests("ParametersTests", ["Parameters"]),
        tests("DSPTests", ["TestSupport", "DSP"]),
        tests("BinauralTests", ["TestSupport", "Binaural", "DSP"]),
        tests(
            "EffectsTests",
            ["TestSupport", "Effects", "RackCore", "Rack", "Parameters", "Specification", "Crossing", "DSP"]),
        .target(
            name: "TestSupport",
            dependencies: ["RenderCore", "Render", "Binaural", "DSP", "Crossing", "RenderInterface", "Parameters", "Pose"],
            path: "Tests/Support", exclude: ["thread-sanitizer.txt"], swiftSettings: strict + optimized),
        tests(
            "RenderTests",
            [
                "TestSupport", "RenderCore", "Render", "Effects", "Rack", "DSP", "Binaural", "Crossing", "RenderInterface",
                "Parameters", "Pose", "CRealtime",
            ]),
        tests(
            "RealtimeSafetyTests",
            [
                "TestSupport", "RenderCore", "Render", "Binaural", "DSP", "Effects", "RackCore", "Rack", "Crossing", "RenderInterface",
                "Parameters", "Pose", "CRealtime",
            ], links: sanitizer),
        tests("ProtocolTests", ["Parameters", "Binaural", "Effects", "Numbers", "Rack"]),
        tests("PoseTests", ["TestSupport", "DSP", "RenderInterface", "Pose", "Parameters"]),
        tests("EvaluationTests", ["TestSupport", "Evaluation", "Binaural", "DSP", "Pose"]),
        tests("SessionTests", ["TestSupport", "DSP", "Session", "Effects", "Rack", "Parameters"], exclude: ["Files"]),
        tests(
            "DeviceTests",
            [
                "TestSupport", "DSP", "Binaural", "Device", "Render", "Crossing", "CRealtime", "Parameters", "RenderInterface",
            ]),
        tests("ListeningTestTests", ["ListeningTest"]),
        tests("HubTests", ["TestSupport", "DSP", "Hub", "Parameters", "Crossing", "RenderInterface", "Pose"]),
        tests(
            "EngineTests",
            [
                "DSP", "TestSupport", "Binaural", "Effects", "Engine", "Device", "Render", "RenderInterface", "Media", "Rack", "Session",
                "FileOutput", "Hub", "Pose", "Parameters", "Crossing", "MIDI", "CRealtime",
            ]),
        tests("CrossingTests", ["Crossing"]),
        .target(name: "SofaWriter", dependencies: ["CHDF5"], path: "Tests/SofaWriter", cSettings: optimizedC),
        tests(
            "MediaTests",
            [
                "TestSupport", "Threads", "DSP", "FileOutput", "Files", "Media", "Parameters", "Binaural", "Crossing", "CSndFile",
                "SofaWriter",
            ]),
        tests("SynthesisTests", ["TestSupport", "FileOutput", "Synthesis", "Media", "Binaural", "DSP"]),
        tests(
            "OSCControlTests",
            [
                "TestSupport", "DSP", "CLiblo", "OSCControl", "Hub", "Parameters", "Crossing", "RenderInterface", "Pose", "CRealtime",
                "CDatagram",
            ]),
        tests("BudgetsTests", ["TestSupport", "Budgets", "FileOutput"]),
        tests("StreamingTests", ["DSP", "Streaming"]),
        tests("MQTTTests", ["TestSupport", "DSP", "Numbers", "MQTT", "Hub", "Parameters", "RenderInterface", "Session"]),
        tests("TrustTests", ["TestSupport", "Trust"]),
        tests(
            "TrackersTests",
            ["TestSupport", "Trackers", "OSCControl", "Hub", "Parameters", "Crossing", "RenderInterface", "Pose", "CRealtime"]),
        tests(
            "WebTests",
            [
                "TestSupport", "FileOutput", "Files", "DSP", "Binaural", "Web", "MediaLibrary", "Participants", "ListenerStreams",
                "Cameras",
                "Broadcast", "Query", "Streaming", "Trust", "OSCControl", "Hub", "Parameters",
                "Crossing",
                "RenderInterface",
                "CRealtime", "COpus",
            ]),
    ] + fuzzing
)

/// Sanitizers build the tests that they need, and what these use. Most modules are not optimized, which halves the time to compile them,
/// and keeps the functions that the suppressions name, which an optimizer would inline. Those that compute are, since they would take most
/// of the time of the tests otherwise; they know no threads. Crossing and its tests are, since ThreadSanitizer does not see what
/// generic code reads and writes that is not specialized: the runtime copies the values.
if var waiting = onlyTests {
    let kernels: Set = ["DSP", "Binaural", "Effects", "RackCore", "RenderCore", "Crossing", "CrossingTests"]
    var kept: Set<String> = []
    while let name = waiting.popLast() {
        guard kept.insert(name).inserted, let target = package.targets.first(where: { $0.name == name }) else { continue }
        for dependency in target.dependencies { if case .byNameItem(let name, _) = dependency { waiting.append(name) } }
        if kernels.contains(name) { target.swiftSettings?.append(.unsafeFlags(["-O"])) }
    }
    (package.targets, package.products) = (package.targets.filter { kept.contains($0.name) }, [])
}
