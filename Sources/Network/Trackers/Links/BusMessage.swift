internal import CSystemd

/// A D-Bus message, read from start to end. A type that does not match ends the reading and has no other effect.
final class BusMessage {
    /// A value of a type that trackers use.
    enum Value: Equatable {
        case text(String)
        case bool(Bool)
        case bytes([UInt8])
        case other
    }

    let message: OpaquePointer

    /// Takes ownership of one reference.
    init(_ message: OpaquePointer) { self.message = message }

    deinit { sd_bus_message_unref(message) }

    func isSignal(_ interface: String, _ member: String) -> Bool { sd_bus_message_is_signal(message, interface, member) > 0 }

    /// Error message; nil for a message that is not an error.
    var fault: String? {
        guard sd_bus_message_is_method_error(message, nil) > 0 else { return nil }
        return sd_bus_message_get_error(message).flatMap { $0.pointee.message }.map { String(cString: $0) } ?? "no reason given"
    }

    func isFault(_ name: String) -> Bool { sd_bus_message_is_method_error(message, name) > 0 }

    var path: String { sd_bus_message_get_path(message).map { String(cString: $0) } ?? "" }

    /// Reads a string, an object path or a signature.
    func text(_ type: Unicode.Scalar = "s") -> String? {
        var text: UnsafePointer<CChar>?
        let result = withUnsafeMutablePointer(to: &text) {
            sd_bus_message_read_basic(message, CChar(UInt8(ascii: type)), $0)
        }
        return result > 0 ? text.map { String(cString: $0) } : nil
    }

    /// Reads every element of an array of dictionary entries.
    /// - Parameter contents: the signature of an entry, without its braces.
    func entries(_ contents: String, _ body: () -> Bool) {
        guard sd_bus_message_enter_container(message, CChar(UInt8(ascii: "a")), "{\(contents)}") > 0 else { return }
        while sd_bus_message_enter_container(message, CChar(UInt8(ascii: "e")), contents) > 0 {
            guard body(), sd_bus_message_exit_container(message) >= 0 else { return }
        }
        sd_bus_message_exit_container(message)
    }

    /// Reads a dictionary from names to variants.
    func properties() -> [String: Value] {
        var found: [String: Value] = [:]
        entries("sv") {
            guard let name = text(), let value = variant() else { return false }
            found[name] = value
            return true
        }
        return found
    }

    private func variant() -> Value? {
        var type: CChar = 0
        var contents: UnsafePointer<CChar>?
        guard sd_bus_message_peek_type(message, &type, &contents) > 0, let contents,
            sd_bus_message_enter_container(message, CChar(UInt8(ascii: "v")), contents) > 0
        else { return nil }
        let value: Value
        switch String(cString: contents) {
        case "s": value = text().map(Value.text) ?? .other
        case "b":
            var isTrue: Int32 = 0
            guard sd_bus_message_read_basic(message, CChar(UInt8(ascii: "b")), &isTrue) > 0 else { return nil }
            value = .bool(isTrue != 0)
        case "ay":
            var first: UnsafeRawPointer?
            var count = 0
            guard sd_bus_message_read_array(message, CChar(UInt8(ascii: "y")), &first, &count) >= 0 else { return nil }
            value = .bytes(Array(UnsafeRawBufferPointer(start: first, count: count)))
        default:
            guard sd_bus_message_skip(message, contents) >= 0 else { return nil }
            value = .other
        }
        return sd_bus_message_exit_container(message) >= 0 ? value : nil
    }
}
