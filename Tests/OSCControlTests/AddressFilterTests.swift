import Hub
import Parameters
import Testing

@testable import OSCControl

/// Floods of messages to unknown addresses, which the pose thread drops.
@Suite struct AddressFilterTests {
    private func bytes(_ address: String, _ body: (UnsafeRawBufferPointer) -> Bool) -> Bool { Array(address.utf8).raw(body) }

    @Test func aSetHoldsWhatWasAdded() {
        let addresses = (0..<5000).map { "/group/\($0)/value" }
        let set = AddressSet(addresses)
        #expect(addresses.allSatisfy { bytes($0, set.contains) })
        #expect(!addresses.contains { bytes($0 + "s", set.contains) })
        #expect(!bytes("", set.contains))
        #expect(!bytes("/x", AddressSet([]).contains))
    }

    @Test func onlyStrangersAreLimited() {
        let filter = AddressFilter()
        var gate = AddressGate(filter)
        func admitted(_ address: String) -> Int { (0..<10_000).count { _ in bytes(address) { gate.admits($0) } } }
        // Without a published namespace, everything passes.
        #expect(admitted("/unknown") == 10_000)
        filter.publish(AddressSet(["/known"]))
        gate.refresh()
        #expect(admitted("/known") == 10_000)
        #expect(admitted("/*/pattern") == 10_000)
        let count = admitted("/unknown")
        #expect(count >= 2 * AddressGate.strangers && count < 9000)
        filter.publish(AddressSet(["/known", "/unknown"]))
        gate.refresh()
        #expect(admitted("/unknown") == 10_000)
    }

    @Test func aFloodIsCountedAndKnownMessagesPass() throws {
        let rig = try Rig()
        #expect(!rig.dispatcher.drain())
        let unknown = rig.tree.index(EngineParameter.unknown)
        for i in 0..<50 {
            for j in 0..<200 { rig.sender.send(OSCPacket.bytes("/nowhere/\(i)/\(j)", [.float(1)])) }
            rig.sender.send(OSCPacket.bytes("/listener/1/gain", [.int(Int32(-i - 1))]))
            #expect(rig.until { rig.hub.value(rig.tree.index(ListenerParameter.gain)) == .number(Float(-i - 1)) })
        }
        #expect(rig.until { rig.hub.value(unknown) == .number(10_000) })
        #expect(rig.receiver.counters.unknown > 0)
        #expect(rig.receiver.counters.dropped == 0)
    }
}
