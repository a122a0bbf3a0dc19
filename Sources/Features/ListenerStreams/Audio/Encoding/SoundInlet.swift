internal import CRealtime
internal import Glibc
internal import Synchronization

/// Sound of one listener on its way from the thread that reads it to one that encodes it for many, such as HLS. Neither waits for the
/// other: sound that finds no room is left out, and its place is known by the counts of the sound around it.
package final class SoundInlet: Sendable {
    /// Consecutive frames.
    package struct Batch {
        /// The engine's sample count at the first frame.
        let start: Int64
        /// Left and right interleaved.
        package var samples: [Float]
        /// Seconds since 1970 at which sample count 0 was rendered, as the arrival of the newest sound suggests.
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
