internal import Hub
internal import Parameters
internal import Pose

/// Recognises pose messages and sends their poses directly to the listener's inlet.
///
/// Invalid poses (NaN, a wrong argument count, a value out of range) are left to the hub, which reports the reason.
struct PoseReader {
    private enum Form: CaseIterable {
        case ypr, quaternion

        var parameter: ListenerParameter { self == .ypr ? .ypr : .quaternion }
        var count: Int { self == .ypr ? 3 : 4 }
    }

    private let heads: [ListenerHead]
    /// The parts of a pose address before and after the listener's number.
    private let front: [UInt8]
    private let backs: [(form: Form, bytes: [UInt8])]
    private let anglesRange = ListenerParameter.ypr.spec.range

    /// - Parameter heads: one for each listener.
    init(_ heads: [ListenerHead]) {
        self.heads = heads
        front = Array(ListenerParameter.container.utf8.prefix { $0 != UInt8(ascii: "{") })
        backs = Form.allCases.map { ($0, Array("/\($0.parameter.leaf)\0".utf8)) }
    }

    /// Sends the pose of a message, if it is one.
    /// - Parameters:
    ///   - receiveTime, senderTime: CLOCK_MONOTONIC nanoseconds; `senderTime` is 0 when unknown.
    /// - Returns: true for a valid pose. It is sent unless a tracker currently controls the head.
    func take(_ bytes: UnsafeRawBufferPointer, receiveTime: UInt64, senderTime: UInt64 = 0) -> Bool {
        guard let (head, form, tags) = match(bytes) else { return false }
        let count = form.count
        let exact = bytes.count == tags + 8 + 4 * count && hasFloatTags(bytes, at: tags, count)
        var values = SIMD4<Float>.zero
        if exact {
            for i in 0..<count {
                let word = bytes.loadUnaligned(fromByteOffset: tags + 8 + 4 * i, as: UInt32.self)
                values[i] = Float(bitPattern: UInt32(bigEndian: word))
            }
        } else {
            guard let message = try? OSCPacket.message(bytes, receiveTime: receiveTime),
                message.arguments.count == count
            else { return false }
            for (i, argument) in message.arguments.enumerated() {
                guard let number = argument.number else { return false }
                values[i] = number
            }
        }
        switch form {
        case .ypr:
            for i in 0..<3 where !anglesRange.contains(values[i]) { return false }
            values = Orientation.quaternion(yaw: values[0], pitch: values[1], roll: values[2])
        case .quaternion:
            guard let unit = Orientation.normalised(values) else { return false }
            values = unit
        }
        _ = head.offer(HeadArbiter.direct, values, receiveTime: receiveTime, senderTime: senderTime)
        return true
    }

    /// Returns whether the type tags at `at` are a comma and `count` times f, with padding.
    private func hasFloatTags(_ bytes: UnsafeRawBufferPointer, at: Int, _ count: Int) -> Bool {
        for i in 0..<8 {
            let expected = i == 0 ? UInt8(ascii: ",") : i <= count ? UInt8(ascii: "f") : 0
            if bytes[at + i] != expected { return false }
        }
        return true
    }

    /// Returns the listener and pose format that the address names, and the position of the type tags.
    private func match(_ bytes: UnsafeRawBufferPointer) -> (ListenerHead, Form, tags: Int)? {
        guard bytes.count % 4 == 0, bytes.count > front.count, bytes.starts(with: front) else { return nil }
        var at = front.count
        var number = 0
        while at < bytes.count, number < 100_000, let digit = Self.digit(bytes[at]), number + digit > 0 {
            number = number * 10 + digit
            at += 1
        }
        guard heads.indices.contains(number - 1), heads[number - 1].isPresent else { return nil }
        for (form, back) in backs where bytes[at...].starts(with: back) {
            let end = at + back.count - 1
            let tags = (end + 4) & ~3
            guard tags < bytes.count, bytes[end..<tags].allSatisfy({ $0 == 0 }) else { return nil }
            return (heads[number - 1], form, tags)
        }
        return nil
    }

    private static func digit(_ byte: UInt8) -> Int? {
        byte >= 0x30 && byte <= 0x39 ? Int(byte) - 0x30 : nil
    }
}
