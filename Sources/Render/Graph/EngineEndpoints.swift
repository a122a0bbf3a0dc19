public import Crossing
public import RenderInterface

/// The renderer's endpoints of its reports.
public struct EngineEndpoints: ~Copyable, Sendable {
    var engine: Latest<EngineFrame>.Writer
    var microphones: Ring<MicrophoneFrame>.Producer
    var stamps: Ring<LatencyStamp>.Producer

    public init(
        engine: consuming Latest<EngineFrame>.Writer, microphones: consuming Ring<MicrophoneFrame>.Producer,
        stamps: consuming Ring<LatencyStamp>.Producer
    ) {
        self.engine = engine
        self.microphones = microphones
        self.stamps = stamps
    }
}
