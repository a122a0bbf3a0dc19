package import Binaural
internal import Render
internal import Synchronization

/// The latest arrays by version, for threads that describe the scene to clients.
package final class SharedArrays: Sendable {
    /// An array, and the microphones of it that are dead.
    package struct Entry: Sendable {
        package let array: MicrophoneArray
        /// Bit k is set when channel k is dead.
        package let muted: UInt64
    }

    private static let most = 16
    private let entries = Mutex<[(version: Int64, entry: Entry)]>([])

    /// Keeps an array before blocks refer to it.
    func note(_ array: MicrophoneArray, _ calibration: Calibration, version: Int64) {
        entries.withLock { entries in
            guard !entries.contains(where: { $0.version == version }) else { return }
            if entries.count == Self.most { entries.removeFirst() }
            entries.append((version, Entry(array: array, muted: calibration.muted)))
        }
    }

    /// The array of a version; nil when it is unknown, or too old.
    package subscript(version: Int64) -> Entry? {
        if version == ArrayEdit.standardVersion { return Entry(array: ArrayEdit.standard, muted: 0) }
        return entries.withLock { entries in entries.last { $0.version == version }?.entry }
    }
}
