import Hub
import Parameters

extension Message {
    /// Whether a second argument confirms that an existing file is replaced.
    var isConfirmed: Bool { arguments.count == 2 && arguments[1].number.map { $0 != 0 } ?? false }
}
