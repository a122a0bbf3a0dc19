import ArgumentParser

@main
struct Vestibule: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "vestibule",
        abstract: "Motion-tracked binaural engine with a network control and telemetry hub.",
        subcommands: [
            ServeCommand.self, RenderCommand.self, SynthCommand.self, EncodeCommand.self, ProcessCommand.self,
            EvaluateCommand.self, EvaluateTrackingCommand.self, MeasureCommand.self, TrackersCommand.self,
            DevicesCommand.self, PairingCommand.self, SessionCommand.self, BenchCommand.self,
        ])
}
