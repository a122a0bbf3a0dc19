internal import DSP
package import Rack

/// The two racks of a listener: one on the recording, one on the recording and the live input together.
///
/// The one part of the inner half that meets another thread, inside `Rack`: plans arrive there.
package struct ListenerRacks: ~Copyable, Sendable {
    private var recording: LiveRack?
    private var mix: LiveRack?
    /// Latencies of the racks, samples.
    private(set) var recordingLatency = 0
    private(set) var mixLatency = 0
    /// Whether a rack has slots; their plans change in ``receivePlans()`` alone.
    private(set) var isActive = false
    private var recordingCounts = RangeCounts()
    private var mixCounts = RangeCounts()

    /// - Parameters:
    ///   - recording: rack on the recording; nil for none.
    ///   - mix: rack on the recording and the live input together; nil for none.
    package init(recording: consuming LiveRack? = nil, mix: consuming LiveRack? = nil) {
        self.recording = recording
        self.mix = mix
    }

    @_noLocks @_noAllocation
    mutating func processRecording(
        _ left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>, frames: Int, tempo: Float
    ) {
        recording?.run(left, right, frames: frames, tempo: tempo)
    }

    @_noLocks @_noAllocation
    mutating func processMix(_ left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>, frames: Int, tempo: Float) {
        mix?.run(left, right, frames: frames, tempo: tempo)
    }

    /// Number of times that sound out of range was kept from the racks, when they last looked for plans.
    var counts: RangeCounts { @_noLocks @_noAllocation get { recordingCounts + mixCounts } }

    /// Takes new plans of both racks.
    @_noLocks @_noAllocation
    mutating func receivePlans() {
        recordingLatency = recording?.receivePlan(&recordingCounts) ?? 0
        mixLatency = mix?.receivePlan(&mixCounts) ?? 0
        let (isRecordingActive, isMixActive) = (recording?.isActive ?? false, mix?.isActive ?? false)
        isActive = isRecordingActive || isMixActive
    }
}

extension LiveRack {
    /// Takes new plans; returns the latency of the newest, samples.
    @_noLocks @_noAllocation
    fileprivate mutating func receivePlan(_ counts: inout RangeCounts) -> Int {
        receive()
        counts = self.counts
        return latency
    }
}
