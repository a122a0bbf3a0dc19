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
