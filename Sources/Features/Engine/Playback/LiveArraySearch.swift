import Binaural
import Device
import Foundation
import Media
import Synchronization

/// Looks for a live array that is not there at the start, on its own thread, because sound servers block their callers.
final class LiveArraySearch: Sendable {
    /// A device that records the array.
    struct Found: Sendable {
        let recorder: DeviceRecorder
        let array: MicrophoneArray
    }

    let option: LiveArrayOption
    private let latest: Mutex<String>
    private let found = Mailbox<Found>()
    private let isCancelled = Mutex(false)
    /// Seconds between two tries.
    private static let interval = 1.0

    /// - Parameters:
    ///   - problem: why it was not found at the start.
    ///   - open: opens the source.
    init(_ option: LiveArrayOption, problem: DeviceError, open: @escaping @Sendable (LiveArrayOption) throws -> Found) {
        self.option = option
        latest = Mutex("\(problem)")
        let thread = Thread { [self] in
            var channels = 0
            while !isCancelled.withLock({ $0 }) {
                Thread.sleep(forTimeInterval: Self.interval)
                do {
                    let next = try open(option)
                    // The ports of a JACK client appear one by one.
                    let isComplete = option.channels != nil || next.recorder.channels == channels
                    channels = next.recorder.channels
                    if isComplete {
                        found.put(next)
                        return
                    }
                } catch { latest.withLock { $0 = "\(error)" } }
            }
        }
        thread.name = "array search"
        thread.start()
    }

    /// Reason why it is not found, in words.
    var problem: String { latest.withLock { $0 } }

    /// Returns the array once after it has been found; nil otherwise.
    func take() -> Found? { found.take() }

    func cancel() { isCancelled.withLock { $0 = true } }
}
