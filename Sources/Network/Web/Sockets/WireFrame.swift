internal import CWebSockets

/// One WebSocket frame, with the space in front that libwebsockets needs for its header.
///
/// Any number of clients of one loop may share a frame: each write makes the header again, and the content never changes.
package final class WireFrame {
    /// Length of the content in bytes.
    package let count: Int
    private let isText: Bool
    private let memory: UnsafeMutablePointer<UInt8>

    package init(binary bytes: [UInt8]) {
        count = bytes.count
        isText = false
        memory = Self.copy(bytes)
    }

    package init(text: String) {
        let bytes = Array(text.utf8)
        count = bytes.count
        isText = true
        memory = Self.copy(bytes)
    }

    private static func copy(_ bytes: [UInt8]) -> UnsafeMutablePointer<UInt8> {
        let memory = UnsafeMutablePointer<UInt8>.allocate(capacity: Int(lws_pre) + bytes.count)
        (memory + Int(lws_pre)).initialize(from: bytes, count: bytes.count)
        return memory
    }

    deinit { memory.deallocate() }

    /// The content from a byte on.
    package func bytes(from offset: Int) -> [UInt8] {
        Array(UnsafeBufferPointer(start: memory + Int(lws_pre) + offset, count: max(0, count - offset)))
    }

    /// Writes the frame. To be called once per writeable callback, or when the library keeps nothing of an earlier frame
    /// (`lws_partial_buffered`).
    /// - Returns: false when the connection is gone.
    func write(to wsi: OpaquePointer) -> Bool { write(to: wsi, as: isText ? LWS_WRITE_TEXT : LWS_WRITE_BINARY) }

    /// Writes the content as a frame of another kind.
    func write(to wsi: OpaquePointer, as kind: lws_write_protocol) -> Bool {
        lws_write(wsi, memory + Int(lws_pre), count, kind) >= 0
    }
}

/// The frame with which a client ends its WebSocket.
enum CloseFrame {
    /// - Parameter payload: of the frame: nothing, or a status and a reason.
    /// - Returns: the status with which a frame that breaks the rules is answered (RFC 6455, 5.5.1 and 7.4); nil for a good one.
    static func refusal(_ payload: UnsafeRawBufferPointer) -> lws_close_status? {
        guard !payload.isEmpty else { return nil }
        guard payload.count >= 2, mayBeSent(Int(payload[0]) << 8 | Int(payload[1])) else { return LWS_CLOSE_STATUS_PROTOCOL_ERR }
        return String(validating: payload[2...], as: UTF8.self) == nil ? LWS_CLOSE_STATUS_INVALID_PAYLOAD : nil
    }

    /// Whether a status may be in a frame: the registered ones (IANA, 2024) and those for libraries and applications.
    private static func mayBeSent(_ status: Int) -> Bool {
        switch status {
        case 1000...1003, 1007...1014, 3000...4999: true
        default: false
        }
    }
}
