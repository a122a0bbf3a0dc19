import DSP
import Hub
import OSCControl
import TestSupport
import Testing

@Suite struct DatagramRingTests {
    @Test func recordsKeepTheirLengthTimeAndSender() {
        let ring = DatagramRing(capacity: 1024)
        var producer = ring.producer
        var consumer = ring.consumer
        var random = SeededRandom()
        for round in 0..<500 {
            let bytes = (0..<Int.random(in: 0...300, using: &random)).map { UInt8(truncatingIfNeeded: $0 ^ round) }
            let sender = NetworkAddress(bytes: .init(repeating: UInt8(round % 251)), port: UInt16(round), scope: 7)
            let pushed = bytes.withUnsafeBytes { producer.push($0, time: UInt64(round), from: sender) }
            #expect(pushed)
            var got: [UInt8] = []
            var at: UInt64 = 0
            var from = NetworkAddress.nowhere
            let popped = consumer.pop {
                got = Array($0)
                at = $1
                from = $2
            }
            #expect(popped)
            #expect(from == sender)
            #expect(got == bytes)
            #expect(at == UInt64(round))
        }
        let empty = consumer.pop { _, _, _ in }
        #expect(!empty)
        let tooLong = [UInt8](repeating: 0, count: 1025).withUnsafeBytes { producer.push($0, time: 0) }
        #expect(!tooLong)
    }
}
