import CRealtime
import Foundation
import Glibc
import Hub
import Synchronization

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

/// Progress of several tasks, each on a line of its own until it ends. For any thread.
final class ProgressLines: Sendable {
    // SAFETY: used within the lock alone.
    private struct Line: @unchecked Sendable {
        let line: ProgressLine
    }

    private let lines = Mutex<[String: Line]>([:])

    /// - Parameter share: 0 to 1; nil at the end of the task.
    func show(_ title: String, _ share: Double?) {
        lines.withLock { lines in
            let line = lines[title] ?? Line(line: ProgressLine(title))
            guard let share else {
                lines[title] = nil
                return line.line.clear()
            }
            lines[title] = line
            line.line.show(share)
        }
    }
}

/// Writes a warning of a command on standard error, so that standard output has results only.
@Sendable func warn(_ text: String) { FileHandle.standardError.write(Data("warning: \(LogText.escaped(text))\n".utf8)) }

/// Writes warnings, each once: a file may be used several times.
func warnOnce(_ texts: [String]) {
    var known: Set<String> = []
    for text in texts where known.insert(text).inserted { warn(text) }
}
