internal import DSP

#if hasFeature(Embedded)
/// The racks of a listener in a browser, which has no effects: the engine renders listeners that have a rack.
package struct ListenerRacks: ~Copyable, Sendable {
    package struct Arrangements {}

    var recordingLatency: Int { @_noLocks @_noAllocation get { 0 } }
    var mixLatency: Int { @_noLocks @_noAllocation get { 0 } }
    var isActive: Bool { @_noLocks @_noAllocation get { false } }
    var counts: RangeCounts { @_noLocks @_noAllocation get { RangeCounts() } }

    package init(period: Int, rate: Float) {}

    @_noLocks @_noAllocation
    mutating func set(_ arrangements: Arrangements) {}

    @_noLocks @_noAllocation
    mutating func processRecording(
        _ left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>, frames: Int, tempo: Float
    ) {}

    @_noLocks @_noAllocation
    mutating func processMix(_ left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>, frames: Int, tempo: Float) {}
}
#else
package import RackCore

/// The two racks of a listener: one on the recording, one on the recording and the live input together.
package struct ListenerRacks: ~Copyable, Sendable {
    /// Arrangements of both racks for the blocks to come, which their owner keeps until there are newer ones; nil for none.
    package struct Arrangements {
        let recording: UnsafeMutablePointer<RackArrangement>?
        let mix: UnsafeMutablePointer<RackArrangement>?

        @_noLocks @_noAllocation
        package init(recording: UnsafeMutablePointer<RackArrangement>?, mix: UnsafeMutablePointer<RackArrangement>?) {
            self.recording = recording
            self.mix = mix
        }
    }

    // SAFETY: the caller of `set` keeps both arrangements until the next call.
    private nonisolated(unsafe) var recording: UnsafeMutablePointer<RackArrangement>?
    // SAFETY: as above.
    private nonisolated(unsafe) var mix: UnsafeMutablePointer<RackArrangement>?
    private var recordingRunner: RackRunner
    private var mixRunner: RackRunner
    /// Latencies of the racks, samples.
    private(set) var recordingLatency = 0
    private(set) var mixLatency = 0
    /// Whether a rack has slots.
    private(set) var isActive = false
    /// Number of times that sound out of range was kept from the racks, at the last call of ``set(_:)``.
    private(set) var counts = RangeCounts()

    /// - Parameters:
    ///   - period: largest block, frames.
    ///   - rate: frames per second.
    package init(period: Int, rate: Float) {
        recordingRunner = RackRunner(rate: rate, largestBlock: period)
        mixRunner = RackRunner(rate: rate, largestBlock: period)
    }

    /// Sets the arrangements of the blocks to come.
    @_noLocks @_noAllocation
    mutating func set(_ arrangements: Arrangements) {
        (recording, mix) = (arrangements.recording, arrangements.mix)
        (recordingLatency, mixLatency) = (recording?.pointee.latency ?? 0, mix?.pointee.latency ?? 0)
        let (isRecordingActive, isMixActive) = (recording?.pointee.isActive ?? false, mix?.pointee.isActive ?? false)
        isActive = isRecordingActive || isMixActive
        counts = recordingRunner.counts + mixRunner.counts
    }

    @_noLocks @_noAllocation
    mutating func processRecording(
        _ left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>, frames: Int, tempo: Float
    ) {
        guard let recording, recording.pointee.isActive else { return }
        recordingRunner.process(&recording.pointee, left, right, frames: frames, tempo: tempo)
    }

    @_noLocks @_noAllocation
    mutating func processMix(_ left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>, frames: Int, tempo: Float) {
        guard let mix, mix.pointee.isActive else { return }
        mixRunner.process(&mix.pointee, left, right, frames: frames, tempo: tempo)
    }
}
#endif
