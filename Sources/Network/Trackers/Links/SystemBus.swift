internal import CSystemd
internal import Glibc

/// A connection with the system's D-Bus, used by one thread.
final class SystemBus {
    struct Failure: Error {
        let words: String
    }

    private let bus: OpaquePointer
    /// Time limit for a reply in microseconds.
    private static let timeout: UInt64 = 2_000_000

    /// - Throws: ``Failure``.
    init() throws(Failure) {
        var opened: OpaquePointer?
        let result = sd_bus_open_system(&opened)
        guard result >= 0, let opened else { throw Failure(words: String(cString: strerror(-result))) }
        bus = opened
    }

    deinit { sd_bus_flush_close_unref(bus) }

    var descriptor: Int32 { sd_bus_get_fd(bus) }
    /// Poll events to wait for at ``descriptor``.
    var events: Int32 { max(sd_bus_get_events(bus), 0) }

    /// Calls a method and waits at most 2 s for the reply.
    func call(_ name: String, _ path: String, _ interface: String, _ member: String, text: String? = nil) throws(Failure) -> BusMessage {
        let message = try make(name, path, interface, member, text)
        var error = sd_bus_error()
        defer { sd_bus_error_free(&error) }
        var reply: OpaquePointer?
        let result = sd_bus_call(bus, message.message, Self.timeout, &error, &reply)
        guard result >= 0, let reply else {
            throw Failure(words: error.message.map { String(cString: $0) } ?? String(cString: strerror(-result)))
        }
        return BusMessage(reply)
    }

    /// Calls a method without waiting; errors arrive as messages.
    func send(_ name: String, _ path: String, _ interface: String, _ member: String) throws(Failure) {
        let message = try make(name, path, interface, member, nil)
        var cookie: UInt64 = 0
        let result = sd_bus_send(bus, message.message, &cookie)
        guard result >= 0 else { throw Failure(words: String(cString: strerror(-result))) }
    }

    /// Calls a method that takes a dictionary, here with one string in it, without waiting.
    func send(
        _ name: String, _ path: String, _ interface: String, _ member: String, key: String, value: String
    ) throws(Failure) {
        let made = try make(name, path, interface, member, nil)
        let message = made.message
        defer { withExtendedLifetime(made) {} }
        func character(_ letter: Unicode.Scalar) -> CChar { CChar(UInt8(ascii: letter)) }
        func add(_ text: String) -> Int32 { text.withCString { sd_bus_message_append_basic(message, character("s"), $0) } }
        var cookie: UInt64 = 0
        let results = [
            sd_bus_message_open_container(message, character("a"), "{sv}"),
            sd_bus_message_open_container(message, character("e"), "sv"), add(key),
            sd_bus_message_open_container(message, character("v"), "s"), add(value),
            sd_bus_message_close_container(message), sd_bus_message_close_container(message),
            sd_bus_message_close_container(message), sd_bus_send(bus, message, &cookie),
        ]
        if let result = results.first(where: { $0 < 0 }) { throw Failure(words: String(cString: strerror(-result))) }
    }

    private func make(
        _ name: String, _ path: String, _ interface: String, _ member: String, _ text: String?
    ) throws(Failure) -> BusMessage {
        var made: OpaquePointer?
        var result = sd_bus_message_new_method_call(bus, &made, name, path, interface, member)
        guard result >= 0, let made else { throw Failure(words: String(cString: strerror(-result))) }
        let message = BusMessage(made)
        if let text {
            result = text.withCString { sd_bus_message_append_basic(made, CChar(UInt8(ascii: "s")), $0) }
            guard result >= 0 else { throw Failure(words: String(cString: strerror(-result))) }
        }
        return message
    }

    /// Returns the next message; nil when none is pending.
    /// - Throws: ``Failure`` when the connection is lost.
    func next() throws(Failure) -> BusMessage? {
        while true {
            var message: OpaquePointer?
            let result = sd_bus_process(bus, &message)
            guard result >= 0 else { throw Failure(words: String(cString: strerror(-result))) }
            if let message { return BusMessage(message) }
            guard result > 0 else { return nil }
        }
    }
}

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
