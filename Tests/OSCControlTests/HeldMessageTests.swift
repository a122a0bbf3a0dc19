import Hub
import TestSupport
import Testing

@testable import OSCControl

/// The queue of messages that wait for their time: its horizon, and the share of each sender.
@Suite struct HeldMessageTests {
    private static let second: UInt64 = 1_000_000_000
    private let now: UInt64 = 1000 * second

    private func sender(_ host: Int, port: UInt16 = 9000) -> NetworkAddress {
        var address = NetworkAddress(host: "192.0.2.\(host)")!
        address.port = port
        return address
    }

    private func hold(
        _ held: inout HeldMessages, _ sender: NetworkAddress, count: Int = 1, size: Int = 16, in seconds: UInt64 = 10
    ) -> [TimedRefusal] {
        var refusals: [TimedRefusal] = []
        [UInt8](repeating: 1, count: size).withUnsafeBytes { bytes in
            for _ in 0..<count { refusals += held.hold(bytes, until: now + seconds * Self.second, now: now, from: sender) }
        }
        return refusals
    }

    /// The number of messages of each sender.
    private func drained(_ held: inout HeldMessages) -> [NetworkAddress: Int] {
        var counts: [NetworkAddress: Int] = [:]
        while let message = held.take(now: .max / 2) { counts[message.sender, default: 0] += 1 }
        return counts
    }

    @Test func anHourIsTheHorizon() {
        var held = HeldMessages()
        #expect(hold(&held, sender(1), in: 3600).isEmpty)
        let refusals = hold(&held, sender(1), in: 365 * 86_400)
        #expect(refusals.map(\.cause) == [.horizon])
        let words = refusals.first?.words ?? ""
        #expect(words.contains("192.0.2.1") && words.contains("365 days ahead") && words.contains("60 minutes") && words.contains("/clock"))
        #expect(hold(&held, sender(1), in: 3601).first?.words.contains("dated 60 minutes ahead") == true)
        #expect(hold(&held, sender(1), in: 3 * 3600).first?.words.contains("clock is 3 hours ahead") == true)
        #expect(drained(&held) == [sender(1): 1])
    }

    @Test func aSenderHasAShare() {
        var held = HeldMessages()
        #expect(hold(&held, sender(1), count: 1100).map(\.cause) == Array(repeating: .share, count: 76))
        // 2 MiB are fewer of larger messages.
        #expect(hold(&held, sender(2), count: 40, size: 60_000).count == 6)
        #expect(hold(&held, sender(3)).isEmpty)
        #expect(drained(&held) == [sender(1): 1024, sender(2): 34, sender(3): 1])
        // What has been taken is free again.
        #expect(hold(&held, sender(1), count: 1024).isEmpty)
    }

    /// Another machine's messages come in although one has filled the queue from many ports; those due last give way.
    @Test func theMachineWithTheMostGivesWay() {
        var held = HeldMessages()
        for port in 1...4 { #expect(hold(&held, sender(1, port: UInt16(port)), count: 1024, in: 10 + UInt64(port)).isEmpty) }
        let refusals = hold(&held, sender(2), count: 100)
        #expect(refusals.count == 100 && refusals.allSatisfy { $0.cause == .full && $0.sender.machine == sender(1).machine })
        // Another program of the machine comes in as well, one that has as much does not.
        #expect(hold(&held, sender(1, port: 5)).allSatisfy { $0.sender != sender(1, port: 5) })
        let counts = drained(&held)
        #expect(counts[sender(2)] == 100 && counts[sender(1, port: 5)] == 1 && counts.values.reduce(0, +) == 4096)
    }

    @Test func aMachineWithTheMostIsRefused() {
        var held = HeldMessages()
        for host in 1...4 { _ = hold(&held, sender(host), count: 1000) }
        // The rest, and then each other's: nobody can take more than anybody else has.
        #expect(hold(&held, sender(5), count: 96).isEmpty)
        let refusals = hold(&held, sender(5), count: 900)
        let counts = drained(&held)
        #expect(counts.values.reduce(0, +) == 4096)
        #expect((1...5).allSatisfy { (800...840).contains(counts[sender($0)] ?? 0) }, "\(counts), \(refusals.count) refused")
    }

    /// Bytes are shared as messages are.
    @Test func bytesAreShared() {
        var held = HeldMessages()
        for host in 1...4 { _ = hold(&held, sender(host), count: 34, size: 60_000) }
        let refusals = hold(&held, sender(5), count: 20, size: 60_000)
        #expect(!refusals.isEmpty && refusals.allSatisfy { $0.sender != sender(5) })
        let counts = drained(&held)
        #expect(counts[sender(5)] == 20)
        #expect(counts.values.reduce(0, +) * 60_000 <= HeldMessages.maximum.bytes)
    }

    /// Messages of a browser are in its own share, although they act for nobody in particular.
    @Test func theOwnerHasTheShare() {
        var held = HeldMessages()
        let bytes: [UInt8] = [1, 2, 3, 4]
        let refusals = bytes.withUnsafeBytes { bytes in
            (0..<1025).flatMap { _ in held.hold(bytes, until: now + Self.second, now: now, from: .nowhere, owner: sender(1)) }
        }
        #expect(refusals == [TimedRefusal(.share, of: sender(1))])
        #expect(hold(&held, sender(2), count: 1024).isEmpty)
        #expect(drained(&held)[.nowhere] == 1024)
    }
}
