internal import Glibc
internal import Links

/// Link to a tracker on a serial line: opens the line, reads packets, and reopens the line after it was unplugged.
final class SerialLink: TrackerLink {
    private let thread: LinkThread

    /// Milliseconds between two attempts to open the line.
    private static let retry: Int32 = 500

    /// - Parameters:
    ///   - path: path of its file; nil for the first USB serial line.
    ///   - splitter: splits bytes into packets.
    ///   - output: descriptor for packets, closed by the link.
    ///   - report: receives messages for the user, on the thread: faults of the line, and its return.
    /// - Throws: ``TrackerSourceError`` for an unsupported bit rate, or without a thread; `output` then stays open.
    init(
        path: String?, baud: Int, splitter: PacketSplitter, output: Int32, report: @escaping @Sendable (String) -> Void
    ) throws(TrackerSourceError) {
        guard let speed = SerialLine.speed(baud) else {
            throw TrackerSourceError(
                text: path ?? "serial", reason: "\(baud) bits per second is not a serial bit rate; try 9600 or 115200")
        }
        thread = try LinkThread(tracker: path ?? "serial", name: "tracker serial", output: output) { thread in
            var lastReport = ""
            func reportChange(_ text: String) {
                if text != lastReport { report(text) }
                lastReport = text
            }
            while !thread.shouldEnd {
                guard let name = path ?? SerialLine.first() else {
                    reportChange("no USB serial port found; waiting for one")
                    _ = thread.wait(milliseconds: Self.retry)
                    continue
                }
                switch SerialLine.open(name, speed) {
                case .success(let descriptor):
                    if !lastReport.isEmpty { reportChange("\(name) is connected") }
                    Self.read(descriptor, splitter, thread)
                    close(descriptor)
                    if !thread.shouldEnd { reportChange("\(name) was disconnected; waiting for it to return") }
                case .failure(let problem): reportChange("\(name) \(problem.words); retrying")
                }
                _ = thread.wait(milliseconds: Self.retry)
            }
        }
    }

    func stop(waits: Bool) { thread.stop(waits: waits) }

    /// Reads until the line is closed or the thread has to end.
    private static func read(_ descriptor: Int32, _ splitter: PacketSplitter, _ thread: LinkThread) {
        var splitter = splitter
        var bytes = [UInt8](repeating: 0, count: 4096)
        while !thread.shouldEnd {
            guard thread.wait(descriptor, milliseconds: -1) else { continue }
            let count = Glibc.read(descriptor, &bytes, bytes.count)
            if count < 0, errno == EAGAIN || errno == EINTR { continue }
            guard count > 0 else { return }
            for packet in splitter.take(bytes[..<count]) { thread.send(packet) }
        }
    }
}
