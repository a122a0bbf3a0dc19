internal import CRealtime
internal import DSP

/// A ``PartitionedStage`` with large partitions whose work is spread over time: its output appears one partition later than it could, so
/// its response begins after two partitions.
struct SpreadStage: ~Copyable, Sendable {
    private var stage: PartitionedStage
    /// Number of small partitions in one of this stage.
    private let turns: Int
    private let small: Int
    private var turn = 0

    /// - Parameters:
    ///   - spectra: spectra of a response that begins after two of its partitions.
    ///   - small: samples after which ``work()`` is called.
    init(_ spectra: PartSpectra, small: Int) {
        stage = PartitionedStage(spectra)
        self.small = small
        turns = spectra.part / small
    }

    /// Output of this stage for the current small partition.
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

    /// Runs the slice of the work that belongs to one small partition.
    @_noLocks @_noAllocation
    mutating func work() {
        turn = turn &+ 1
        if turn == turns {
            // The result of the previous turn becomes the output.
            turn = 0
            stage.transformOutput()
            stage.transformInput()
        }
        stage.multiply(turn, turns)
    }
}
