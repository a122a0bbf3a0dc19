import Hub
import Parameters

extension MessageContext {
    /// Whether a second argument confirms that an existing file is replaced.
    var isConfirmed: Bool { message.arguments.count == 2 && message.arguments[1].number.map { $0 != 0 } ?? false }
}
