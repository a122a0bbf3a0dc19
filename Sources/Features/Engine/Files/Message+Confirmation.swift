import Hub
import Parameters

extension Message {
    /// Whether an argument after the names confirms that an existing file is replaced.
    var isConfirmed: Bool { arguments.count > 1 && arguments.last?.number.map { $0 != 0 } ?? false }
}
