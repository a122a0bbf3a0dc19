internal import CRealtime
internal import Glibc

/// The last lines of the log.
final class LogTail {
    /// Lines that are kept, and the most lines of one frame.
    static let most = 256
    /// Bytes of a line that are kept.
    private static let longest = 1024

    private var lines: [LogLine] = []
    /// Number of the newest line; 0 before the first.
    private(set) var last = 0

    func add(_ text: String) {
        var now = timespec()
        clock_gettime(CLOCK_REALTIME, &now)
        last += 1
        let text = text.utf8.count <= Self.longest ? text : text.prefix(Self.longest / 4) + "…"
        lines.append(LogLine(number: last, time: Double(now.tv_sec) + Double(now.tv_nsec / 1_000_000) / 1000, text: text))
        if lines.count > Self.most { lines.removeFirst() }
    }

    /// The kept lines after the one with this number.
    func after(_ number: Int) -> [LogLine] { lines.filter { $0.number > number } }
}
