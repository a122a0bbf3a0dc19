internal import CLiblo
internal import Glibc
public import Parameters

extension OSCPacket {
    /// Returns the bytes of one message. Strings end at their first zero byte; ``Argument/other`` and what could not be read are sent as
    /// nil.
    public static func bytes(_ address: String, _ arguments: [Argument]) -> [UInt8] {
        let message = lo_message_new()
        defer { lo_message_free(message) }
        for argument in arguments {
            switch argument {
            case .int(let value): lo_message_add_int32(message, value)
            case .float(let value): lo_message_add_float(message, value)
            case .double(let value): lo_message_add_double(message, value)
            case .string(let value): lo_message_add_string(message, value)
            case .bool(true): lo_message_add_true(message)
            case .bool(false): lo_message_add_false(message)
            case .other, .unreadable: lo_message_add_nil(message)
            }
        }
        return [UInt8](unsafeUninitializedCapacity: lo_message_length(message, address)) { memory, count in
            count = memory.count
            lo_message_serialise(message, address, memory.baseAddress, &count)
        }
    }

    /// Returns the bytes of a bundle.
    /// - Parameters:
    ///   - elements: messages or bundles, as bytes.
    ///   - timetag: NTP time at which the bundle takes effect.
    public static func bundle(_ elements: [[UInt8]], timetag: UInt64 = immediately) -> [UInt8] {
        var bytes = Array("#bundle\0".utf8)
        bytes.reserveCapacity(elements.reduce(16) { $0 + 4 + $1.count })
        withUnsafeBytes(of: timetag.bigEndian) { bytes.append(contentsOf: $0) }
        for element in elements {
            withUnsafeBytes(of: Int32(element.count).bigEndian) { bytes.append(contentsOf: $0) }
            bytes.append(contentsOf: element)
        }
        return bytes
    }
}
