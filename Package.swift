// swift-tools-version: 6.2
import PackageDescription

let strict: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .treatAllWarnings(as: .error),
]

func stage(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
    .target(name: name, dependencies: dependencies, swiftSettings: strict)
}

func tests(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
    .testTarget(name: name, dependencies: dependencies, swiftSettings: strict)
}

func system(_ name: String, pkgConfig: String, apt: String) -> Target {
    .systemLibrary(name: name, pkgConfig: pkgConfig, providers: [.apt([apt])])
}

/// What libFuzzer feeds, built by `make fuzz` alone: it brings its own main function.
let fuzzing: [Target] =
    Context.environment["FUZZ"] == nil
    ? []
    : [
        .executableTarget(
            name: "FuzzTrackers",
            dependencies: ["Trackers", "OSCControl", "Hub", "Parameters", "Crossing", "Tracking", "CRealtime"],
            path: "Tests/Fuzz", swiftSettings: strict),
        .target(
            name: "Fuzz",
            dependencies: ["Parameters", "Crossing", "Hub", "OSCControl", "Trust", "WebControl", "Rack", "Session"],
            path: "Fuzz", exclude: ["corpus"]),
    ]

/// The stages stand in the data's order: each depends only on stages above it.
let package = Package(
    name: "vestibule",
    products: [.executable(name: "vestibule", targets: ["vestibule"])]
        + (fuzzing.isEmpty ? [] : [.library(name: "Fuzz", type: .static, targets: ["Fuzz"])]),
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2")
    ],
    targets: [
        system("CALSA", pkgConfig: "alsa", apt: "libasound2-dev"),
        system("CFFTW", pkgConfig: "fftw3f", apt: "libfftw3-dev"),
        system("CLiblo", pkgConfig: "liblo", apt: "liblo-dev"),
        system("CWebSockets", pkgConfig: "libwebsockets", apt: "libwebsockets-dev"),
        .systemLibrary(name: "CEventLoop", providers: [.apt(["libev-dev"])]),
        system("CQRCode", pkgConfig: "libqrencode", apt: "libqrencode-dev"),
        system("CSndFile", pkgConfig: "sndfile", apt: "libsndfile1-dev"),
        system("CSoxr", pkgConfig: "soxr", apt: "libsoxr-dev"),
        system("CMySofa", pkgConfig: "libmysofa", apt: "libmysofa-dev"),
        system("CSystemd", pkgConfig: "libsystemd", apt: "libsystemd-dev"),
        .target(name: "CRealtime"),
        .target(name: "CBench"),
        .target(name: "CDatagram"),
        .target(name: "CSofa", dependencies: ["CMySofa"]),
        .target(name: "CServiceBus", linkerSettings: [.linkedLibrary("systemd")]),
        .target(name: "CCertificate", linkerSettings: [.linkedLibrary("crypto")]),

        stage("Parameters"),
        stage("Crossing", ["Parameters", "CRealtime"]),
        stage("DSP", ["CRealtime", "CFFTW"]),
        stage("Binaural", ["DSP", "CRealtime"]),
        stage("Effects", ["DSP", "CRealtime"]),
        stage("Rack", ["Parameters", "Crossing", "DSP", "Effects", "CRealtime"]),
        stage("Media", ["Parameters", "Crossing", "Binaural", "DSP", "CRealtime", "CSndFile", "CSoxr", "CMySofa", "CSofa"]),
        stage("Render", ["Parameters", "Crossing", "DSP", "Binaural", "Effects", "Rack", "CRealtime"]),
        stage("Device", ["Render", "Crossing", "Media", "CRealtime", "CALSA"]),
        stage("Tracking", ["Parameters", "Crossing"]),
        stage("Evaluation", ["Parameters", "Crossing", "DSP", "Binaural", "Render", "Tracking", "CRealtime"]),
        stage("Session", ["Parameters", "Rack"]),
        stage("Hub", ["Parameters", "Crossing", "Tracking"]),
        stage("RackControl", ["Parameters", "Crossing", "DSP", "Effects", "Rack", "Media", "Session", "Hub"]),
        stage("Trust", ["CCertificate"]),
        stage("Announcement", ["CServiceBus"]),
        stage("OSCControl", ["Crossing", "Tracking", "Hub", "Parameters", "CRealtime", "CDatagram", "CLiblo"]),
        stage("Trackers", ["Hub", "OSCControl", "Tracking", "Parameters", "CRealtime", "CDatagram", "CALSA", "CSystemd"]),
        stage("WebControl", ["Crossing", "Hub", "Trust", "OSCControl", "Parameters", "CRealtime", "CQRCode", "CWebSockets", "CEventLoop"]),
        .executableTarget(
            name: "vestibule",
            dependencies: [
                "Parameters", "Crossing", "DSP", "Binaural", "Effects", "Rack", "Media", "Render", "Device", "Tracking",
                "Evaluation", "Session", "Hub", "RackControl", "Trust", "Announcement", "OSCControl", "Trackers", "WebControl",
                "CRealtime", "CBench",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            swiftSettings: strict),

        tests("ParametersTests", ["Parameters"]),
        tests("DSPTests", ["DSP"]),
        tests("BinauralTests", ["TestSupport", "Binaural", "DSP"]),
        tests("EffectsTests", ["Effects", "Rack", "Parameters", "Crossing", "DSP", "CRealtime"]),
        .target(
            name: "TestSupport", dependencies: ["Render", "Binaural", "DSP", "Crossing", "Parameters", "Tracking"],
            path: "Tests/Support", swiftSettings: strict),
        tests("RenderTests", ["TestSupport", "Render", "Rack", "DSP", "Binaural", "Crossing", "Parameters", "Tracking"]),
        tests(
            "RealtimeSafetyTests",
            ["TestSupport", "Render", "Binaural", "Effects", "Rack", "Crossing", "Parameters", "Tracking", "CRealtime"]),
        tests("ProtocolTests", ["Parameters", "Binaural"]),
        tests("TrackingTests", ["Tracking", "Parameters"]),
        tests("EvaluationTests", ["Evaluation", "Binaural", "DSP"]),
        .testTarget(
            name: "SessionTests", dependencies: ["Session", "Rack", "Parameters"], exclude: ["Files"], swiftSettings: strict),
        tests("DeviceTests", ["Device", "Render", "Crossing", "CRealtime"]),
        tests("HubTests", ["Hub", "Parameters", "Crossing"]),
        tests("RackControlTests", ["RackControl", "Media", "Rack", "Session", "Hub", "Parameters", "Crossing"]),
        tests("CrossingTests", ["Crossing", "Parameters"]),
        tests("MediaTests", ["Media", "Binaural", "Crossing", "DSP", "CSndFile"]),
        tests("OSCControlTests", ["OSCControl", "Hub", "Parameters", "Crossing", "Tracking", "CRealtime", "CDatagram"]),
        tests("TrustTests", ["Trust"]),
        tests("TrackersTests", ["Trackers", "OSCControl", "Hub", "Parameters", "Crossing", "Tracking", "CRealtime"]),
        tests("WebControlTests", ["WebControl", "Trust", "OSCControl", "Hub", "Parameters", "Crossing", "CRealtime"]),
    ] + fuzzing
)
