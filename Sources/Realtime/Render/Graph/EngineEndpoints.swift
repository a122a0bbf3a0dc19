public import Crossing
public import RenderInterface

/// The renderer's endpoints for its reports.
public struct EngineEndpoints: ~Copyable, Sendable {
    var engine: Latest<EngineFrame>.Writer
    var microphones: Ring<MicrophoneFrame>.Producer
    var stamps: Ring<LatencyStamp>.Producer
    private let owners: [CountRow]
    let resets: CountRow.View
    let nonFinite: CountRow.View

    /// - Parameters:
    ///   - resets: receives how often sound out of range was replaced, in the order of ``RangePlaces``.
    ///   - nonFinite: receives how many of those times the samples were not finite.
    public init(
        engine: consuming Latest<EngineFrame>.Writer, microphones: consuming Ring<MicrophoneFrame>.Producer,
        stamps: consuming Ring<LatencyStamp>.Producer, resets: CountRow, nonFinite: CountRow
    ) {
        self.engine = engine
        self.microphones = microphones
        self.stamps = stamps
        owners = [resets, nonFinite]
        self.resets = resets.view
        self.nonFinite = nonFinite.view
    }
}
