import Crossing
import Foundation
import Hub
import ListenerStreams
import Synchronization
import TestSupport
import Testing
import Web

@Suite struct AudioSocketTests {
    /// Stands in for the audio thread: a ramp of one 16-bit step per frame, rising on the left, falling on the right.
    final class Engine: @unchecked Sendable {
        // SAFETY: used by the test's thread only, except for the two atomics.
        private var ring: FrameRing.Producer
        let position = Atomic<Int>(0)
        private let wanted = Atomic<Bool>(false)

        var isWanted: Bool {
            get { wanted.load(ordering: .acquiring) }
            set { wanted.store(newValue, ordering: .releasing) }
        }

        init(_ ring: consuming FrameRing.Producer, startingAt start: Int) {
            self.ring = ring
            position.store(start, ordering: .releasing)
        }

        /// Renders a number of frames; those that do not fit are lost.
        func render(_ frames: Int) {
            let start = position.load(ordering: .relaxed)
            var samples: [Float] = []
            for i in start..<(start + frames) {
                let step = Float(i % 10_000) / 32768
                samples += [step, -step]
            }
            _ = ring.write(samples, frames: frames)
            position.store(start + frames, ordering: .releasing)
        }
    }

    func make(startingAt start: Int = 0, rate: Int = 48_000, capacity: Int = 8192) throws -> (TestServer, Engine) {
        let ring = FrameRing(channels: 2, capacity: capacity)
        let engine = Engine(ring.producer, startingAt: start)
        let source = Holder(Mutex<FrameRing.Consumer?>(ring.consumer))
        let server = try TestServer { _, server in
            server.streams.add(
                AudioStream(
                    listener: 1, rate: rate, source: source.value.withLock { $0.take()! },
                    position: { Int64(engine.position.load(ordering: .acquiring)) },
                    hear: { clients, _ in engine.isWanted = clients > 0 }))
        }
        return (server, engine)
    }

    func number(_ bytes: ArraySlice<UInt8>) -> UInt64 { bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) } }

    @Test func packetsMatchTheProtocolByteForByte() throws {
        let (server, engine) = try make(startingAt: 0x1_0000_0000)
        engine.render(1000)  // Before any client listens: inaudible.
        let client = SocketTestClient(server.port, "/audio/1")
        #expect(client.status == 101)
        let hello = client.receive()
        #expect(hello?.opcode == SocketTestClient.text)
        #expect(
            hello?.text == "{\"rate\":48000,\"channels\":2,\"frames\":480,\"listener\":1,\"format\":\"s16le\"}")
        #expect(engine.isWanted)
        engine.render(1000)
        engine.render(440)
        for packet in 0..<3 {
            let frame = try #require(client.receive())
            #expect(frame.opcode == SocketTestClient.binary && frame.payload.count == 16 + 4 * 480)
            #expect(number(frame.payload[0..<4]) == UInt64(packet))
            #expect(number(frame.payload[4..<8]) == 480)
            let start = 0x1_0000_0000 + 1000 + 480 * packet
            #expect(number(frame.payload[8..<16]) == UInt64(start))
            for i in 0..<480 {
                let at = 16 + 4 * i
                let left = Int(Int16(bitPattern: UInt16(number(frame.payload[at..<(at + 2)]))))
                let right = Int(Int16(bitPattern: UInt16(number(frame.payload[(at + 2)..<(at + 4)]))))
                let expected = (start + i) % 10_000
                // Dither reaches one step to each side, rounding half of one.
                guard abs(left - expected) <= 1, abs(right + expected) <= 1 else {
                    Issue.record("frame \(start + i): \(left) \(right), not \(expected)")
                    return
                }
            }
        }
    }

    @Test func allClientsGetTheSamePacketsAndTheLastOneEndsTheStream() throws {
        let (server, engine) = try make(rate: 44_100)
        #expect(!engine.isWanted)
        let (one, two) = (SocketTestClient(server.port, "/audio/1"), SocketTestClient(server.port, "/audio/1"))
        #expect(one.receive()?.text.contains("\"frames\":441,") == true)
        #expect(two.receive() != nil)
        engine.render(882)
        for _ in 0..<2 {
            let packet = one.receive()
            #expect(packet?.payload.count == 16 + 4 * 441)
            #expect(packet == two.receive())
        }
        one.raw.close()
        #expect(server.until { _, server in server.connections.count == 1 })
        #expect(engine.isWanted)
        two.raw.close()
        waitUntil("the engine no longer renders for it") { !engine.isWanted }
        // A client that connects later receives the frames from then on, with their sample count.
        engine.render(700)
        let three = SocketTestClient(server.port, "/audio/1")
        #expect(three.receive() != nil)
        engine.render(441)
        let packet = try #require(three.receive())
        #expect(number(packet.payload[8..<16]) == 882 + 700)
    }

    @Test func aSlowClientLosesTheOldestPacketsAndNumbersShowTheGap() throws {
        let (server, engine) = try make()
        let slow = SocketTestClient(server.port, "/audio/1", receiveBuffer: 4096)
        #expect(slow.receive() != nil)
        // 480 kB, three times what both ends' kernels keep, and soon sent: without pongs the connection ends after half a minute.
        let total = 250
        let watcher = SocketTestClient(server.port, "/audio/1")
        _ = watcher.receive()
        for _ in 0..<total {
            engine.render(480)
            _ = watcher.receive()
        }
        var numbers: [UInt64] = []
        while numbers.last != UInt64(total - 1), let packet = slow.receive() {
            numbers.append(number(packet.payload[0..<4]))
            #expect(number(packet.payload[8..<16]) == 480 * numbers.last!)
        }
        #expect(numbers.last == UInt64(total - 1))
        #expect(numbers.count < total)
        #expect(numbers.suffix(20) == (total - 20..<total).map { UInt64($0) })
        #expect(zip(numbers, numbers.dropFirst()).allSatisfy { $0 < $1 })
    }

    @Test func framesDroppedByTheAudioThreadShowAsAGap() throws {
        let (server, engine) = try make(capacity: 1024)
        let client = SocketTestClient(server.port, "/audio/1")
        #expect(client.receive() != nil)
        engine.render(480)
        let first = try #require(client.receive())
        #expect(number(first.payload[0..<4]) == 0)
        server.perform { _, _ in
            engine.render(960)
            engine.render(4800)  // The ring has room for 64 to 1024 of these frames.
        }
        // Packets from before the gap are whole; those after it stand where their sample counts say.
        var (last, start) = (0, 480)
        while start < 480 + 960 + 4800 {
            let packet = try #require(client.receive { engine.render(480) })
            let (count, begin) = (Int(number(packet.payload[0..<4])), Int(number(packet.payload[8..<16])))
            #expect(begin == start ? count == last + 1 : count > last + 1 && begin >= 480 + 960 + 4800)
            for i in [0, 479] {
                let left = Int(Int16(bitPattern: UInt16(number(packet.payload[(16 + 4 * i)..<(18 + 4 * i)]))))
                #expect(abs(left - (begin + i) % 10_000) <= 1)
            }
            (last, start) = (count, begin + 480)
        }
    }

    @Test func aMissingListenerHasNoSound() throws {
        let (server, _) = try make()
        for path in ["/audio/2", "/audio/0", "/audio/x", "/audio", "/audio/"] {
            #expect(SocketTestClient(server.port, path).status == 404, "\(path)")
        }
    }

    @Test func fullScaleIsClippedAndExactWithoutDither() {
        var encoder = PCM16Encoder(dither: false)
        let samples: [Float] = [0, 1, -1, 2, -2, .nan, 0.5, -0.5, 1 / 32768, .infinity]
        var bytes: [UInt8] = []
        samples.withUnsafeBufferPointer { encoder.encode($0, into: &bytes) }
        let values = stride(from: 0, to: bytes.count, by: 2).map {
            Int16(bitPattern: UInt16(bytes[$0]) | UInt16(bytes[$0 + 1]) << 8)
        }
        #expect(values == [0, 32767, -32768, 32767, -32768, 0, 16384, -16384, 1, 32767])
    }

    @Test func ditherIsTriangularAndUnbiased() {
        var encoder = PCM16Encoder()
        let samples = [Float](repeating: 0.25 / 32768, count: 200_000)
        var bytes: [UInt8] = []
        samples.withUnsafeBufferPointer { encoder.encode($0, into: &bytes) }
        var (sum, energy) = (0.0, 0.0)
        for i in stride(from: 0, to: bytes.count, by: 2) {
            let value = Double(Int16(bitPattern: UInt16(bytes[i]) | UInt16(bytes[i + 1]) << 8))
            sum += value
            energy += (value - 0.25) * (value - 0.25)
        }
        // The mean is the signal, far below one step; the error's variance is 1/12 + 1/6 steps squared.
        #expect(abs(sum / 200_000 - 0.25) < 0.01)
        #expect(abs(energy / 200_000 - 0.25) < 0.01)
    }
}
