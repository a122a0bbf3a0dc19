public import Hub

/// Reads and writes OSC 1.0 packets. Bundles are parsed here; liblo reads and writes arguments.
///
/// Never reads past the given bytes, even for malformed input.
public enum OSCPacket {
    /// The timetag that means "now".
    public static let immediately: UInt64 = 1
    static let maximumDepth = 8
    static let maximumElements = 4096

    /// One message of a packet: the range of its bytes, and the timetag of the enclosing bundle.
    public struct Element: Equatable, Sendable {
        public let range: Range<Int>
        /// NTP time: seconds since 1900 in the upper 32 bits, the fraction in the lower 32; ``immediately`` outside bundles.
        public let timetag: UInt64
    }

    /// The messages of a packet, bundles unpacked, in order.
    ///
    /// An element of a nested bundle has the latest timetag of all bundles that contain it.
    /// - Throws: ``OSCError`` when a bundle is malformed. The messages themselves are not parsed.
    public static func elements(_ bytes: UnsafeRawBufferPointer) throws(OSCError) -> [Element] {
        var found: [Element] = []
        try collect(bytes, 0..<bytes.count, timetag: immediately, depth: 0, into: &found)
        return found
    }

    /// Every message of a packet, with its timetag.
    public static func parse(
        _ bytes: UnsafeRawBufferPointer, receiveTime: UInt64
    ) throws(OSCError) -> [(timetag: UInt64, message: Message)] {
        var messages: [(timetag: UInt64, message: Message)] = []
        for element in try elements(bytes) {
            do {
                let message = try message(
                    UnsafeRawBufferPointer(rebasing: bytes[element.range]), receiveTime: receiveTime)
                messages.append((element.timetag, message))
            } catch {
                throw OSCError(error.problem, at: error.offset + element.range.lowerBound)
            }
        }
        return messages
    }

    /// Returns the NTP timetag of a bundle; nil for a message.
    static func timetag(_ bytes: UnsafeRawBufferPointer) -> UInt64? {
        guard bytes.count >= 16, isBundle(bytes, 0..<bytes.count) else { return nil }
        return UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
    }

    /// Returns whether these bytes begin with a bundle header.
    static func isBundle(_ bytes: UnsafeRawBufferPointer, _ range: Range<Int>) -> Bool {
        let mark: StaticString = "#bundle"
        guard range.count >= 8 else { return false }
        for i in 0..<8 where bytes[range.lowerBound + i] != (i < 7 ? mark.utf8Start[i] : 0) { return false }
        return true
    }

    private static func collect(
        _ bytes: UnsafeRawBufferPointer, _ range: Range<Int>, timetag: UInt64, depth: Int, into found: inout [Element]
    ) throws(OSCError) {
        guard !range.isEmpty else { throw OSCError(.empty, at: range.lowerBound) }
        guard range.count % 4 == 0 else { throw OSCError(.length(range.count), at: range.lowerBound) }
        guard isBundle(bytes, range) else {
            guard found.count < maximumElements else { throw OSCError(.tooMany, at: range.lowerBound) }
            found.append(Element(range: range, timetag: timetag))
            return
        }
        guard depth < maximumDepth else { throw OSCError(.tooDeep, at: range.lowerBound) }
        guard range.count >= 16 else { throw OSCError(.bundleHeader, at: range.lowerBound) }
        let own = UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: range.lowerBound + 8, as: UInt64.self))
        var at = range.lowerBound + 16
        while at < range.upperBound {
            let left = range.upperBound - at - 4
            let size = Int(Int32(bigEndian: bytes.loadUnaligned(fromByteOffset: at, as: Int32.self)))
            guard size > 0, size <= left else { throw OSCError(.elementSize(size, left: left), at: at) }
            try collect(
                bytes, (at + 4)..<(at + 4 + size), timetag: max(own, timetag), depth: depth + 1, into: &found)
            at += 4 + size
        }
    }
}
