internal import CRealtime
internal import Glibc

/// The last lines that were logged.
struct LogTail {
    /// Lines that are kept, and the most that one frame carries.
    static let most = 256
    /// Bytes of a line that are kept.
    static let longest = 1024

    private var lines: [LogLine] = []
    private(set) var last = 0

    mutating func add(_ text: String) {
        var now = timespec()
        clock_gettime(CLOCK_REALTIME, &now)
        last += 1
        let text = text.utf8.count <= Self.longest ? text : text.prefix(Self.longest / 4) + "…"
        lines.append(LogLine(number: last, time: Double(now.tv_sec) + Double(now.tv_nsec / 1_000_000) / 1000, text: text))
        if lines.count > Self.most { lines.removeFirst() }
    }

    /// What came after the line of this number, as far as it is kept.
    func after(_ number: Int) -> [LogLine] { lines.filter { $0.number > number } }
}
