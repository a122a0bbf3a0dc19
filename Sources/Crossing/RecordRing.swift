internal import CRealtime

/// Byte records of any length, in order, from one thread to one other: datagrams on their way to the hub.
@frozen
public struct RecordRing: ~Copyable, Sendable {
    public let producer: Producer
    public let consumer: Consumer

    /// - Parameter capacity: bytes that fit, each record taking 16 more than its length; a power of two.
    public init(capacity: Int) {
        let ring = FrameRing(channels: 4, capacity: capacity / 16)
        producer = Producer(ring: ring.producer)
        consumer = Consumer(ring: ring.consumer)
    }

    /// The record's length and time; 16 bytes, as long as one frame of the ring underneath.
    struct Header: BitwiseCopyable {
        var length: Int64
        var time: UInt64
    }

    public struct Producer: ~Copyable, Sendable {
        private var ring: FrameRing.Producer
        private var scratch: [SIMD4<Float>] = []

        init(ring: consuming FrameRing.Producer) { self.ring = ring }

        /// Returns false, and keeps nothing, when there is no room.
        /// - Parameter time: CLOCK_MONOTONIC nanoseconds, handed through.
        public mutating func push(_ bytes: UnsafeRawBufferPointer, time: UInt64) -> Bool {
            let frames = 1 + (bytes.count + 15) / 16
            guard ring.free >= frames else { return false }
            if scratch.count < frames { scratch = .init(repeating: .zero, count: frames) }
            scratch.withUnsafeMutableBytes { memory in
                memory.storeBytes(of: Header(length: Int64(bytes.count), time: time), as: Header.self)
                if let source = bytes.baseAddress { (memory.baseAddress! + 16).copyMemory(from: source, byteCount: bytes.count) }
                _ = ring.write(memory.baseAddress!.assumingMemoryBound(to: Float.self), frames: frames)
            }
            return true
        }
    }

    public struct Consumer: ~Copyable, Sendable {
        private var ring: FrameRing.Consumer
        private var scratch: [SIMD4<Float>] = [.zero]

        init(ring: consuming FrameRing.Consumer) { self.ring = ring }

        /// Hands the next record to `body`; returns false when there is none.
        public mutating func pop(_ body: (UnsafeRawBufferPointer, _ time: UInt64) -> Void) -> Bool {
            guard ring.available > 0 else { return false }
            let header = scratch.withUnsafeMutableBytes { memory in
                _ = ring.read(memory.baseAddress!.assumingMemoryBound(to: Float.self), frames: 1)
                return memory.load(as: Header.self)
            }
            let length = Int(header.length)
            let frames = (length + 15) / 16
            if scratch.count < frames { scratch = .init(repeating: .zero, count: frames) }
            scratch.withUnsafeMutableBytes { memory in
                _ = ring.read(memory.baseAddress!.assumingMemoryBound(to: Float.self), frames: frames)
                body(UnsafeRawBufferPointer(rebasing: memory[..<length]), header.time)
            }
            return true
        }
    }
}
