public import Crossing
public import RenderInterface

/// The other threads' endpoints of the renderer's reports. Those in parcels are to be taken once.
public struct ReportConnections: Sendable {
    public let engine: Parcel<Latest<EngineFrame>.Reader>
    public let microphones: Parcel<Ring<MicrophoneFrame>.Consumer>
    /// Stamps of the poses that the device's listeners were rendered for.
    public let stamps: Parcel<Ring<LatencyStamp>.Consumer>
    /// Places at which sound is kept in range; how often sound out of range was replaced at each, and how many of those times the samples
    /// were not finite.
    public let places: RangePlaces
    public let resets: CountRow
    public let nonFinite: CountRow

    /// The renderer's ends.
    let endpoints: Parcel<EngineEndpoints>

    init(listeners: Int, objects: Int) {
        let engine = Latest(EngineFrame())
        let microphones = Ring<MicrophoneFrame>(capacity: 16)
        let stamps = Ring<LatencyStamp>(capacity: 16384)
        places = RangePlaces(listeners: listeners, objects: objects)
        resets = CountRow(count: places.count)
        nonFinite = CountRow(count: places.count)
        endpoints = Parcel(
            EngineEndpoints(
                engine: engine.writer, microphones: microphones.producer, stamps: stamps.producer, resets: resets, nonFinite: nonFinite))
        self.engine = Parcel(engine.reader)
        self.microphones = Parcel(microphones.consumer)
        self.stamps = Parcel(stamps.consumer)
    }
}

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
