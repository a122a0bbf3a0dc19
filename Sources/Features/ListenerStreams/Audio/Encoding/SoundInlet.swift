internal import CRealtime
internal import Glibc
internal import Synchronization

/// Queue of one listener's sound, from the thread that reads it to one that encodes it for many receivers, such as HLS. Neither waits for
/// the other: sound that finds no room is left out, and the sample counts of the sound around it show the gap.
package final class SoundInlet: Sendable {
    /// Consecutive frames.
    package struct Batch {
        /// The engine's sample count at the first frame.
        let start: Int64
        /// Left and right interleaved.
        package var samples: [Float]
        /// Seconds since 1970 at which sample count 0 was rendered, estimated from the arrival of the newest sound.
        package var origin: Double

        var end: Int64 { start + Int64(samples.count / 2) }
    }

    private struct State {
        var batches: [Batch] = []
        var waiting = 0
    }

    private let state = Mutex(State())
    private let rate: Int
    /// Frames that may wait.
    private let most: Int

    package init(rate: Int) {
        self.rate = rate
        most = 4 * rate
    }

    /// Adds frames.
    ///
    /// - Parameters:
    ///   - samples: interleaved.
    ///   - start: the engine's sample count at the first of them.
    ///   - newest: the sample count up to which the engine has rendered now.
    func put(_ samples: UnsafeBufferPointer<Float>, at start: Int64, newest: Int64) {
        let origin = Self.now - Double(newest) / Double(rate)
        state.withLock { state in
            guard state.waiting + samples.count / 2 <= most else { return }
            state.waiting += samples.count / 2
            if let last = state.batches.indices.last, state.batches[last].end == start {
                state.batches[last].samples.append(contentsOf: samples)
                state.batches[last].origin = min(state.batches[last].origin, origin)
            } else {
                state.batches.append(Batch(start: start, samples: Array(samples), origin: origin))
            }
        }
    }

    /// Removes and returns everything that waits.
    package func take() -> [Batch] {
        state.withLock { state in
            defer { state = State() }
            return state.batches
        }
    }

    /// Seconds since 1970.
    package static var now: Double {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
    }
}

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
