/// Joins batches of a listener's sound: silence replaces lost sound.
package struct SoundSeam {
    package struct Piece {
        /// Interleaved and finite, the silence first.
        package let samples: [Float]
        /// Frames of silence.
        package let lost: Int
        /// Frames that were passed over without silence.
        package let skipped: Int64
    }

    /// Longest gap in seconds that silence fills; after a longer one, and when the counts restart, the sound continues without it.
    private static let longestGap = 10

    private let longest: Int64
    /// The engine's sample count at the next frame; nil before the first.
    private var next: Int64?

    /// - Parameter rate: frames per second.
    package init(rate: Int) { longest = Int64(Self.longestGap * rate) }

    package mutating func join(_ batch: SoundInlet.Batch) -> Piece {
        let gap = batch.start - (next ?? 0)
        let lost = next != nil && (1...longest).contains(gap) ? Int(gap) : 0
        next = batch.end
        let sound = batch.samples.map { $0.isFinite ? max(-1, min(1, $0)) : 0 }
        return Piece(
            samples: lost > 0 ? [Float](repeating: 0, count: 2 * lost) + sound : sound, lost: lost, skipped: lost > 0 ? 0 : gap)
    }
}
