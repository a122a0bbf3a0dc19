internal import CDatagram
internal import CRealtime
internal import Crossing
public import Hub

/// A queue of byte records of any length between two threads: datagrams for the hub.
@frozen
public struct DatagramRing: ~Copyable, Sendable {
    public let producer: Producer
    public let consumer: Consumer

    /// - Parameter capacity: in bytes, a power of two; each record takes 32 bytes in addition to its length.
    public init(capacity: Int) {
        let ring = FrameRing(channels: 4, capacity: capacity / 16)
        producer = Producer(ring: ring.producer)
        consumer = Consumer(ring: ring.consumer)
    }

    /// Header before a record's bytes: 32 bytes, two frames of the underlying ring.
    struct Header: BitwiseCopyable {
        var length: UInt32
        var port: UInt16
        var scope: UInt16
        var time: UInt64
        var address: SIMD16<UInt8>

        init(length: Int, time: UInt64, sender: NetworkAddress) {
            self.length = UInt32(length)
            self.time = time
            (port, scope, address) = (sender.port, sender.scope, sender.bytes)
        }

        var sender: NetworkAddress { NetworkAddress(bytes: address, port: port, scope: scope) }
    }

    static let headerFrames = 2

    public struct Producer: ~Copyable, Sendable {
        private var ring: FrameRing.Producer
        private var scratch: [SIMD4<Float>] = []

        init(ring: consuming FrameRing.Producer) { self.ring = ring }

        /// Adds a record. Returns false, without effect, when there is no room.
        /// - Parameters:
        ///   - bytes: at most 4 GB.
        ///   - time: CLOCK_MONOTONIC nanoseconds, passed to the consumer.
        ///   - sender: source address, passed to the consumer.
        public mutating func push(
            _ bytes: UnsafeRawBufferPointer, time: UInt64, from sender: NetworkAddress = .nowhere
        ) -> Bool {
            let frames = DatagramRing.headerFrames + (bytes.count + 15) / 16
            guard ring.free >= frames else { return false }
            if scratch.count < frames { scratch = .init(repeating: .zero, count: frames) }
            scratch.withUnsafeMutableBytes { memory in
                memory.storeBytes(of: Header(length: bytes.count, time: time, sender: sender), as: Header.self)
                if let source = bytes.baseAddress {
                    (memory.baseAddress! + 16 * DatagramRing.headerFrames).copyMemory(from: source, byteCount: bytes.count)
                }
                _ = ring.write(memory.baseAddress!.assumingMemoryBound(to: Float.self), frames: frames)
            }
            return true
        }
    }

    public struct Consumer: ~Copyable, Sendable {
        private var ring: FrameRing.Consumer
        private var scratch = [SIMD4<Float>](repeating: .zero, count: DatagramRing.headerFrames)

        init(ring: consuming FrameRing.Consumer) { self.ring = ring }

        /// Passes the next record to `body`; returns false when there is none.
        public mutating func pop(
            _ body: (UnsafeRawBufferPointer, _ time: UInt64, _ sender: NetworkAddress) -> Void
        ) -> Bool {
            guard ring.available > 0 else { return false }
            let header = scratch.withUnsafeMutableBytes { memory in
                _ = ring.read(memory.baseAddress!.assumingMemoryBound(to: Float.self), frames: DatagramRing.headerFrames)
                return memory.load(as: Header.self)
            }
            let length = Int(header.length)
            let frames = (length + 15) / 16
            if scratch.count < frames { scratch = .init(repeating: .zero, count: frames) }
            scratch.withUnsafeMutableBytes { memory in
                _ = ring.read(memory.baseAddress!.assumingMemoryBound(to: Float.self), frames: frames)
                body(UnsafeRawBufferPointer(rebasing: memory[..<length]), header.time, header.sender)
            }
            return true
        }
    }
}

extension NetworkAddress {
    /// Parses a numeric IPv4 or IPv6 address without port; nil for any other text.
    public init?(host text: String) {
        var peer = datagram_peer()
        guard datagram_parse(text, &peer) == 0 else { return nil }
        self.init(peer)
    }

    init(_ peer: datagram_peer) {
        self.init(bytes: unsafeBitCast(peer.address, to: SIMD16<UInt8>.self), port: peer.port, scope: peer.scope)
    }
}

extension datagram_peer {
    init(_ address: NetworkAddress) {
        self.init()
        withUnsafeMutableBytes(of: &self.address) { $0.storeBytes(of: address.bytes, as: SIMD16<UInt8>.self) }
        (port, scope) = (address.port, address.scope)
    }
}
