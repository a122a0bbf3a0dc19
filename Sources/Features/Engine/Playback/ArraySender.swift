import Binaural
import Crossing
import Render
import Synchronization

/// Sends one worker every array that the audio thread may use, each version once and in order, before the audio thread gets it.
final class ArraySender: Sendable {
    private struct State: ~Copyable {
        var arrays: Handover<ArrayEdit>.Control
        var version: Int64 = -1
    }

    private let state: Mutex<State>

    /// The engine's rate, frames per second.
    private let rate: Float

    init(_ arrays: consuming Handover<ArrayEdit>.Control, rate: Float) {
        self.rate = rate
        state = Mutex(State(arrays: arrays))
    }

    /// Whether this version has been sent, or a later one.
    func has(_ version: Int64) -> Bool { state.withLock { $0.version >= version } }

    /// - Returns: false when the worker had no room.
    @discardableResult
    func send(_ array: MicrophoneArray, _ calibration: Calibration, version: Int64) -> Bool {
        guard !has(version) else { return true }
        // The ring's weights are computed outside the lock.
        var edit: ArrayEdit? = ArrayEdit(RingLookup(array, calibration: calibration, rate: rate), version: version)
        return state.withLock {
            guard $0.version < version, let edit = edit.take() else { return true }
            guard $0.arrays.send(edit) else { return false }
            $0.version = version
            return true
        }
    }
}
