import Foundation
import Synchronization

/// Somebody at the terminal presses Enter to see another pairing code.
final class CodeWaiter: Sendable {
    private let isWanted = Atomic(false)

    /// True when both ends of the terminal are there: codes are secrets, and a log is no place for them.
    static var isPossible: Bool { isatty(STDIN_FILENO) == 1 && isatty(STDOUT_FILENO) == 1 }

    /// - Parameter wake: called on another thread after each line.
    init(wake: @escaping @Sendable () -> Void) {
        Thread.detachNewThread { [weak self] in
            // Not through stdio, whose lock would keep the program from ending.
            var letters = [UInt8](repeating: 0, count: 256)
            while true {
                let count = read(STDIN_FILENO, &letters, letters.count)
                guard count > 0, let self else { return }
                guard letters[..<count].contains(UInt8(ascii: "\n")) else { continue }
                isWanted.store(true, ordering: .releasing)
                wake()
            }
        }
    }

    /// True once for each time that Enter was pressed.
    func take() -> Bool { isWanted.exchange(false, ordering: .acquiringAndReleasing) }
}
