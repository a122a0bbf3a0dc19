import Foundation
import Synchronization
import Threads

/// Waits for Enter at the terminal, which asks for another pairing code.
final class PairingPrompt: Sendable {
    private let isWanted = Atomic(false)

    /// Whether both input and output are a terminal: pairing codes are secrets and do not belong in a log.
    static var isPossible: Bool { isatty(STDIN_FILENO) == 1 && isatty(STDOUT_FILENO) == 1 }

    /// - Parameter wake: called on another thread after each line.
    init(wake: @escaping @Sendable () -> Void) throws(ThreadError) {
        _ = try ProgramThread("terminal") { [weak self] in
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

    /// Returns true if Enter was pressed since the last call.
    func take() -> Bool { isWanted.exchange(false, ordering: .acquiringAndReleasing) }
}
