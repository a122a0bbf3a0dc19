internal import CRealtime
internal import Synchronization

/// Ring buffer for sound from one thread to another: frames of interleaved channels, written and read in blocks.
///
/// Like ``Ring``, but for a whole block at a time. The producer can mark the end of the stream.
@frozen
public struct FrameRing: ~Copyable, Sendable {
    public let producer: Producer
    public let consumer: Consumer

    /// - Parameters:
    ///   - channels: samples per frame.
    ///   - capacity: number of frames that fit; a power of two.
    public init(channels: Int, capacity: Int) {
        let storage = Storage(channels: channels, capacity: capacity)
        producer = Producer(storage)
        consumer = Consumer(storage)
    }

    // SAFETY: frames `head..<tail` belong to the consumer, the rest to the producer.
    final class Storage: @unchecked Sendable {
        let counters = RingCounters()
        let samples: UnsafeMutablePointer<Float>
        let ended = UnsafeMutablePointer<Atomic<Bool>>.allocate(capacity: 1)
        let channels: Int
        let capacity: Int

        init(channels: Int, capacity: Int) {
            precondition(channels > 0 && capacity > 0 && capacity & (capacity - 1) == 0)
            self.channels = channels
            self.capacity = capacity
            samples = .allocate(capacity: channels * capacity)
            samples.initialize(repeating: 0, count: channels * capacity)
            ended.initialize(to: Atomic(false))
        }

        deinit {
            samples.deallocate()
            ended.deinitialize(count: 1)
            ended.deallocate()
        }
    }

    /// State shared by both ends.
    struct End: ~Copyable, Sendable {
        private let owner: Storage
        // SAFETY: the pointers live as long as `owner`.
        nonisolated(unsafe) let head: UnsafeMutablePointer<Atomic<Int>>
        // SAFETY: as above.
        nonisolated(unsafe) let tail: UnsafeMutablePointer<Atomic<Int>>
        // SAFETY: as above.
        nonisolated(unsafe) let samples: UnsafeMutablePointer<Float>
        // SAFETY: as above.
        nonisolated(unsafe) let ended: UnsafeMutablePointer<Atomic<Bool>>
        let channels: Int
        let capacity: Int

        init(_ storage: Storage) {
            owner = storage
            ended = storage.ended
            head = storage.counters.head
            tail = storage.counters.tail
            samples = storage.samples
            channels = storage.channels
            capacity = storage.capacity
        }
    }

    public struct Producer: ~Copyable, Sendable {
        private let ends: End
        public var channels: Int { ends.channels }

        init(_ storage: Storage) { ends = End(storage) }

        /// Number of frames that can be written now.
        public var free: Int {
            @_noLocks @_noAllocation get {
                ends.capacity
                    &- (ends.tail.pointee.load(ordering: .relaxed)
                        &- ends.head.pointee.load(ordering: .acquiring))
            }
        }

        /// Number of frames that are written and not yet read.
        public var filled: Int { ends.capacity - free }

        /// Writes up to `frames` interleaved frames and returns the number that fitted.
        @_noLocks @_noAllocation
        public mutating func write(_ source: UnsafePointer<Float>, frames: Int) -> Int {
            let tail = ends.tail.pointee.load(ordering: .relaxed)
            let room = ends.capacity &- (tail &- ends.head.pointee.load(ordering: .acquiring))
            let count = min(frames, room)
            guard count > 0 else { return 0 }
            let at = tail & (ends.capacity &- 1)
            let first = min(count, ends.capacity &- at)
            rt_copy(ends.samples + at &* ends.channels, source, first &* ends.channels)
            rt_copy(ends.samples, source + first &* ends.channels, (count &- first) &* ends.channels)
            ends.tail.pointee.store(tail &+ count, ordering: .releasing)
            return count
        }

        /// Writes up to `frames` frames of two channels, given by a row each, and returns the number that fitted.
        @_noLocks @_noAllocation
        public mutating func write(_ left: UnsafePointer<Float>, _ right: UnsafePointer<Float>, frames: Int) -> Int {
            let tail = ends.tail.pointee.load(ordering: .relaxed)
            let room = ends.capacity &- (tail &- ends.head.pointee.load(ordering: .acquiring))
            let count = min(frames, room)
            guard count > 0, ends.channels == 2 else { return 0 }
            let at = tail & (ends.capacity &- 1)
            let first = min(count, ends.capacity &- at)
            rt_interleave(ends.samples + 2 &* at, left, right, first)
            rt_interleave(ends.samples, left + first, right + first, count &- first)
            ends.tail.pointee.store(tail &+ count, ordering: .releasing)
            return count
        }

        /// Marks the end of the stream: no frames follow those in the ring.
        public func end() { ends.ended.pointee.store(true, ordering: .releasing) }
    }

    /// Interleaved frames in the ring, in one piece or in two. They stay until the consumer reads or skips them.
    public struct Waiting: BitwiseCopyable {
        public let first: UnsafePointer<Float>
        public let firstCount: Int
        public let second: UnsafePointer<Float>
        /// Number of frames in both.
        public let count: Int
    }

    public struct Consumer: ~Copyable, Sendable {
        private let ends: End
        public var channels: Int { @_noLocks @_noAllocation get { ends.channels } }
        /// Number of frames that fit.
        public var capacity: Int { ends.capacity }

        init(_ storage: Storage) { ends = End(storage) }

        /// Number of frames that can be read now.
        public var available: Int {
            @_noLocks @_noAllocation get {
                ends.tail.pointee.load(ordering: .acquiring) &- ends.head.pointee.load(ordering: .relaxed)
            }
        }

        /// True when the producer has written its last frame, whether or not it has been read.
        public var hasEnded: Bool {
            @_noLocks @_noAllocation get { ends.ended.pointee.load(ordering: .acquiring) }
        }

        /// The available frames, which stay in the ring.
        public var waiting: Waiting {
            @_noLocks @_noAllocation get {
                let count = available
                let at = ends.head.pointee.load(ordering: .relaxed) & (ends.capacity &- 1)
                return Waiting(
                    first: UnsafePointer(ends.samples + at &* ends.channels), firstCount: min(count, ends.capacity &- at),
                    second: UnsafePointer(ends.samples), count: count)
            }
        }

        /// Skips the next frames, at most those that are available.
        @_noLocks @_noAllocation
        public mutating func skip(_ frames: Int) {
            let head = ends.head.pointee.load(ordering: .relaxed)
            ends.head.pointee.store(head &+ min(max(0, frames), available), ordering: .releasing)
        }

        /// Reads up to `frames` interleaved frames and returns the number read.
        @_noLocks @_noAllocation
        public mutating func read(_ target: UnsafeMutablePointer<Float>, frames: Int) -> Int {
            let head = ends.head.pointee.load(ordering: .relaxed)
            let count = min(frames, ends.tail.pointee.load(ordering: .acquiring) &- head)
            guard count > 0 else { return 0 }
            let at = head & (ends.capacity &- 1)
            let first = min(count, ends.capacity &- at)
            rt_copy(target, ends.samples + at &* ends.channels, first &* ends.channels)
            rt_copy(target + first &* ends.channels, ends.samples, (count &- first) &* ends.channels)
            ends.head.pointee.store(head &+ count, ordering: .releasing)
            return count
        }
    }
}
