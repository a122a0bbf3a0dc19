internal import Glibc

/// A serial line: opened when it is there, read packet by packet, and waited for when it is gone.
final class SerialLink: TrackerLink {
    private let thread: LinkThread

    /// Milliseconds between two looks for a line that is not there.
    private static let retry: Int32 = 500

    /// - Parameters:
    ///   - path: of the device; nil for the first that is a USB serial line.
    ///   - splitter: makes packets of bytes.
    ///   - output: taken over.
    ///   - report: told in words, on the thread, what is wrong with the line, and when it is there again.
    /// - Throws: ``TrackerSourceError`` for a bit rate that does not exist, with `output` untouched.
    init(
        path: String?, baud: Int, splitter: PacketSplitter, output: Int32, report: @escaping @Sendable (String) -> Void
    ) throws(TrackerSourceError) {
        guard let speed = SerialLine.speed(baud) else {
            throw TrackerSourceError(
                text: path ?? "serial", reason: "\(baud) bits per second is not a serial bit rate; try 9600 or 115200")
        }
        thread = LinkThread(name: "tracker serial", output: output) { thread in
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

    /// Until the line is gone or the thread is to end.
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
