import CRealtime
import Glibc

/// Progress of a long task, on one line of a terminal. Shows nothing in the first second, or without a terminal.
final class ProgressLine {
    private let title: String
    private let start = rt_now()
    private let watched = isatty(2) == 1
    private var shown = -1

    init(_ title: String) { self.title = title }

    /// - Parameter share: 0 to 1.
    func show(_ share: Double) {
        let percent = Int(clamping: share * 100)
        guard watched, percent != shown, rt_now() - start > 1_000_000_000 else { return }
        shown = percent
        write("\r\(title): \(percent) %")
    }

    /// Clears the line for the next output.
    func clear() {
        if shown >= 0 { write("\r\u{1B}[K") }
    }

    private func write(_ text: String) {
        _ = Array(text.utf8).withUnsafeBytes { Glibc.write(STDERR_FILENO, $0.baseAddress, $0.count) }
    }
}
