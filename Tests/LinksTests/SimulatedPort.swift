import Glibc
import Links
import Synchronization

/// A port whose bytes the test writes to a pipe, and whose devices it plugs in and out.
// SAFETY: the lists are behind a lock, the descriptors constant.
final class SimulatedPort: MIDIPort, @unchecked Sendable {
    let descriptor: Int32
    private let end: Int32
    private let state = Mutex<(devices: [String], isUnplugged: Bool)>(([], false))

    init() {
        var ends: [Int32] = [-1, -1]
        precondition(pipe(&ends) == 0)
        for end in ends { _ = fcntl(end, F_SETFL, O_NONBLOCK) }
        (descriptor, end) = (ends[0], ends[1])
    }

    deinit {
        close(descriptor)
        close(end)
    }

    func plug(_ devices: [String]) { state.withLock { $0.devices = devices } }

    /// Takes all devices away; the thread learns it with the next bytes.
    func unplug() {
        state.withLock { $0 = ([], true) }
        write([0xFE])
    }

    func write(_ bytes: [UInt8]) { _ = Glibc.write(end, bytes, bytes.count) }

    func connect() -> [String] { state.withLock { $0.devices } }

    func read(_ body: (ArraySlice<UInt8>) -> Void) -> Bool {
        var bytes = [UInt8](repeating: 0, count: 64)
        while true {
            let count = Glibc.read(descriptor, &bytes, bytes.count)
            guard count > 0 else { break }
            body(bytes[..<count])
        }
        return state.withLock { state in
            defer { state.isUnplugged = false }
            return !state.isUnplugged
        }
    }
}
