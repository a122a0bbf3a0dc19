internal import Crossing
internal import Rack
internal import RenderCore

/// Realtime ends of a listener's two racks.
struct RackInlets: ~Copyable, Sendable {
    private var recording: RackInlet
    private var mix: RackInlet

    init(recording: consuming Handover<RackPlan>.Realtime, mix: consuming Handover<RackPlan>.Realtime) {
        self.recording = RackInlet(recording)
        self.mix = RackInlet(mix)
    }

    /// Receives new plans; returns the arrangements of the newest, which are valid until the next call.
    @_noLocks @_noAllocation
    mutating func receive() -> ListenerRacks.Arrangements {
        recording.receive()
        mix.receive()
        return ListenerRacks.Arrangements(recording: recording.arrangement, mix: mix.arrangement)
    }

    /// Reads the values that the control side has set; to be called before a block.
    @_noLocks @_noAllocation
    func load() {
        recording.load()
        mix.load()
    }

    /// Reports a block to the control side; to be called after the block.
    @_noLocks @_noAllocation
    func report() {
        recording.report()
        mix.report()
    }
}
