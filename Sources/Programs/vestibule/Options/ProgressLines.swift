import Synchronization

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
