import Crossing
import Testing

@Suite struct ShapeTests {
    @Test func ringKeepsOrderAcrossThreads() {
        let ring = Ring<Int>(capacity: 64)
        let count = 100_000
        let box = Box(ring.producer)
        var consumer = ring.consumer
        var wrong = 0
        withThread {
            var producer = box.take()
            var i = 0
            while i < count { if producer.push(i) { i += 1 } }
        } _: {
            var expected = 0
            while expected < count {
                guard let value = consumer.pop() else { continue }
                if value != expected { wrong += 1 }
                expected += 1
            }
        }
        #expect(wrong == 0)
    }

    @Test func fullRingRefusesElements() {
        let ring = Ring<Int>(capacity: 2)
        var producer = ring.producer
        var consumer = ring.consumer
        let pushed = [producer.push(1), producer.push(2), producer.push(3)]
        #expect(pushed == [true, true, false])
        let popped = [consumer.pop(), consumer.pop(), consumer.pop()]
        #expect(popped == [1, 2, nil])
    }

    /// Several words: ThreadSanitizer does not see vectors of 32 bytes.
    struct Words: BitwiseCopyable {
        let first, second, third, fourth: Int
        init(_ word: Int) { (first, second, third, fourth) = (word, word, word, word) }
        var isWhole: Bool { first == second && second == third && third == fourth }
    }

    @Test func latestIsNeverTorn() {
        let channel = Latest(Words(0))
        let box = Box(channel.writer)
        var reader = channel.reader
        var torn = 0
        var backwards = 0
        withThread {
            var writer = box.take()
            for i in 1...100_000 { writer.publish(Words(i)) }
        } _: {
            var last = 0
            while last < 100_000 {
                let value = reader.read()
                if !value.isWhole { torn += 1 }
                if value.first < last { backwards += 1 }
                last = value.first
            }
        }
        #expect(torn == 0)
        #expect(backwards == 0)
    }

    @Test func framesArriveInOrderAcrossThreads() {
        let ring = FrameRing(channels: 3, capacity: 256)
        let box = Box(ring.producer)
        var consumer = ring.consumer
        let frames = 100_000
        var wrong = 0
        withThread {
            var producer = box.take()
            var sent = 0
            while sent < frames {
                let block = min(37, frames - sent)
                let samples = (0..<block * 3).map { Float(sent * 3 + $0) }
                var done = 0
                while done < block { done += producer.write(Array(samples[(done * 3)...]), frames: block - done) }
                sent += block
            }
            producer.end()
        } _: {
            var expected: Float = 0
            var block = [Float](repeating: 0, count: 3 * 64)
            while true {
                let ended = consumer.hasEnded
                let count = consumer.read(&block, frames: 64)
                if count == 0 && ended { break }
                for i in 0..<count * 3 {
                    if block[i] != expected { wrong += 1 }
                    expected += 1
                }
            }
            #expect(expected == Float(frames * 3))
        }
        #expect(wrong == 0)
    }

    @Test func twoRowsAreWrittenAsFramesAcrossTheEndOfTheMemory() {
        let ring = FrameRing(channels: 2, capacity: 8)
        var producer = ring.producer
        var consumer = ring.consumer
        let (left, right): ([Float], [Float]) = ([1, 2, 3, 4, 5], [-1, -2, -3, -4, -5])
        var frames = [Float](repeating: 0, count: 16)
        for _ in 0..<5 {
            #expect(producer.write(left, right, frames: 5) == 5)
            #expect(consumer.read(&frames, frames: 8) == 5)
            #expect(frames.prefix(10) == [1, -1, 2, -2, 3, -3, 4, -4, 5, -5])
        }
        #expect(producer.write(left, right, frames: 5) == 5)
        #expect(producer.write(left, right, frames: 5) == 3)
        #expect(consumer.read(&frames, frames: 8) == 8)
        #expect(frames.suffix(6) == [1, -1, 2, -2, 3, -3])
    }

    @Test func piecesArriveInOrderAcrossThreads() {
        let ring = BufferRing(pieces: 8, bytes: 100)
        let box = Box(ring.producer)
        var consumer = ring.consumer
        let (count, numbers): (Int32, Int) = (4000, 25)
        var wrong = 0
        withThread {
            var producer = box.take()
            var i: Int32 = 0
            while i < count {
                guard let piece = producer.claim() else { continue }
                // A typed pointer: ThreadSanitizer does not see what raw ones read and write.
                let values = piece.assumingMemoryBound(to: Int32.self)
                for place in 0..<numbers { values[place] = i &+ Int32(place) }
                producer.commit()
                i += 1
            }
        } _: {
            var expected: Int32 = 0
            while expected < count {
                guard consumer.available > 0 else { continue }
                let values = consumer.oldest.assumingMemoryBound(to: Int32.self)
                for place in 0..<numbers where values[place] != expected &+ Int32(place) { wrong += 1 }
                consumer.release()
                expected += 1
            }
        }
        #expect(wrong == 0)
    }

    /// A level that is raised while the row is read is not lost.
    @Test func everyLevelIsTakenOnce() {
        let (places, rounds) = (64, 40)
        let row = TargetRow([Float](repeating: 0, count: places))
        let end = Ring<Bool>(capacity: 1)
        let box = Box(end.producer)
        let ended = end.consumer
        var taken = [Float](repeating: 0, count: places)
        var wrong = 0
        withThread {
            var end = box.take()
            let view = row.view
            for round in 1...rounds {
                for place in 0..<places {
                    while view[place] != 0 {}
                    view.raise(place, to: Float(round))
                }
            }
            _ = end.push(true)
        } _: {
            var isLast = false
            while !isLast {
                isLast = ended.count > 0
                for place in 0..<places {
                    let level = row.take(place)
                    guard level != 0 else { continue }
                    if level != taken[place] + 1 { wrong += 1 }
                    taken[place] = level
                }
            }
        }
        #expect(wrong == 0)
        #expect(taken == [Float](repeating: Float(rounds), count: places))
    }

    @Test func handoverFreesRemainingValues() {
        let count = Count()
        do {
            let channel = Handover<Counted>(depth: 4)
            var control = channel.control
            var realtime = channel.realtime
            for _ in 0..<4 {
                let sent = control.send(Counted(count))
                #expect(sent)
            }
            let refused = control.send(Counted(count))
            #expect(!refused)
            #expect(count.alive == 4)
            let first = realtime.receive()!
            realtime.giveBack(first)
            control.collect()
            #expect(count.alive == 3)
            let second = realtime.receive()!
            realtime.giveBack(second)  // Given back but never collected; two more are never received.
        }
        #expect(count.alive == 0)
    }
}

final class Count: @unchecked Sendable {
    // SAFETY: the test that uses it runs on one thread.
    var alive = 0
}

struct Counted: ~Copyable, Sendable {
    let count: Count
    init(_ count: Count) {
        self.count = count
        count.alive += 1
    }
    deinit { count.alive -= 1 }
}
