internal import CRealtime
internal import DSP

/// A ``PartitionedStage`` of large parts whose work is done a bit at a time: what it adds is due one part later than
/// it could be, so its response begins two parts in.
struct SpreadStage: ~Copyable, Sendable {
    private var stage: PartitionedStage
    /// How many small parts make one of its own.
    private let turns: Int
    private let small: Int
    private var turn = 0

    /// - Parameters:
    ///   - spectra: of a response from the tap on that is two of its parts in.
    ///   - small: samples after which ``work()`` is called.
    init(_ spectra: PartSpectra, small: Int) {
        stage = PartitionedStage(spectra)
        self.small = small
        turns = spectra.part / small
    }

    /// What this stage adds to the small part that is being heard.
    var output: UnsafeMutablePointer<Float> {
        @_noLocks @_noAllocation get { stage.output + turn &* small }
    }

    @_noLocks @_noAllocation
    mutating func reset() {
        stage.reset()
        turn = 0
    }

    @_noLocks @_noAllocation
    func take(_ samples: UnsafePointer<Float>, _ frames: Int, at place: Int) {
        stage.take(samples, frames, at: turn &* small &+ place)
    }

    /// A small part is complete.
    @_noLocks @_noAllocation
    mutating func work() {
        turn = turn &+ 1
        if turn == turns {
            // What was worked out since the last time is due now.
            turn = 0
            stage.transformOutput()
            stage.transformInput()
        }
        stage.multiply(turn, turns)
    }
}
