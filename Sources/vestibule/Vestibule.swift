import ArgumentParser

@main
struct Vestibule: ParsableCommand {
    /// The newest release in CHANGELOG.md.
    private static let version = "0.1.0"

    static let configuration = CommandConfiguration(
        commandName: "vestibule",
        abstract: "Motion-tracked binaural engine with a network control and telemetry hub.",
        version: version,
        subcommands: [
            ServeCommand.self, RenderCommand.self, SynthCommand.self, EncodeCommand.self, ProcessCommand.self,
            EvaluateCommand.self, EvaluateTrackingCommand.self, MeasureCommand.self, TrackersCommand.self,
            DevicesCommand.self, PairingCommand.self, SessionCommand.self, BenchCommand.self,
        ])
}
