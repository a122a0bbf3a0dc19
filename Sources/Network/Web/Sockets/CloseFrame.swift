internal import CWebSockets

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
