internal import DSP

/// Stands in for the type of RenderCore, whose effects are not part of this module: the engine renders listeners that have a rack.
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
