import CRealtime
import Hub
import Parameters
import Testing

@testable import OSCControl

/// Places that all senders share cannot be taken by one machine.
@Suite struct SharedPlacesTests {
    private func ports(_ address: NetworkAddress, _ count: Int) -> [NetworkAddress] {
        (1...count).map { NetworkAddress(bytes: address.bytes, port: UInt16($0), scope: address.scope) }
    }

    @Test func subscriptions() {
        let rig = ADMRig()
        func subscribe(_ address: NetworkAddress, seconds: Int32 = 60) -> [String] {
            rig.send("/subscribe", .string("/listener/1/gain"), .int(seconds), from: address)
            return rig.sent.filter { $0.to == address }.map(\.message.address)
        }
        let mine = ports(rig.me, OSCSubscriptions.maximumAddresses + 1)
        for (place, address) in mine.dropLast().enumerated() {
            #expect(subscribe(address, seconds: place == 7 ? 30 : 60).first == "/subscribed")
        }
        // The 65th address of the same machine is refused.
        #expect(subscribe(mine[64]) == ["/error"])
        // Another machine takes the place of the one whose lease ends first, which learns of it.
        #expect(subscribe(rig.other).first == "/subscribed")
        let told = rig.sent.filter { $0.message.address == "/error" }
        #expect(told.map(\.to) == [mine[7]])
        guard case .string(let text)? = told.first?.message.arguments.first else { return #expect(Bool(false)) }
        #expect(text.contains("your machine has the most"))
        // Those that are left are served.
        rig.send("/listener/1/gain", .float(-6), from: rig.other)
        #expect(rig.sent.map(\.to.port).sorted() == mine.dropLast().map(\.port).filter { $0 != mine[7].port })
    }

    /// A button that is released ends no subscription, and measures no clock.
    @Test func releasesDoNothing() {
        let rig = ADMRig()
        rig.send("/subscribe", .string("/listener/1/gain"), .int(60), from: rig.other)
        rig.send("/unsubscribe", .float(0), from: rig.other)
        rig.send("/listener/1/gain", .float(-6))
        #expect(rig.sent.map(\.message.address) == ["/listener/1/gain"])
        rig.send("/unsubscribe", .float(1), from: rig.other)
        rig.send("/listener/1/gain", .float(-7))
        #expect(rig.sent.isEmpty)
        rig.send("/clock", .float(0))
        #expect(rig.sent.isEmpty)
        rig.send("/clock", .float(1))
        #expect(rig.sent.map(\.message.address) == ["/clock/ask"])
    }

    /// Many rounds of one machine's programs do not end those of another.
    @Test func clocks() {
        let rig = ADMRig()
        rig.send("/clock", from: rig.other)
        guard case .int(let number)? = rig.sent.first?.message.arguments.first else { return #expect(Bool(false)) }
        for address in ports(rig.me, 200) { rig.send("/clock", from: address) }
        rig.send("/clock/answer", .int(number), .double(4e9), .double(4e9), from: rig.other, time: rt_now())
        #expect(rig.sent.map(\.message.address) == ["/clock/ask"])
    }
}
