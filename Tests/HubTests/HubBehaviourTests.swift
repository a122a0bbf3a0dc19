import Hub
import Parameters
import RenderInterface
import Testing

@Suite struct HubBehaviourTests {
    let tree = ParameterTree(listeners: 2, methods: ["nearest", "linear", "two-band"])

    func makeHub() -> Hub {
        Hub(store: ParameterStore(tree)) { pattern, address in
            pattern.hasSuffix("*/gain") && address.hasSuffix("/gain") && address.hasPrefix("/listener")
        }
    }

    func message(_ address: String, _ arguments: Argument...) -> Message {
        Message(address: address, arguments: arguments, receiveTime: 0)
    }

    @Test func aClientReceivesOthersChangesButNotItsOwn() {
        let hub = makeHub()
        var woken = 0
        let mine = hub.subscribe { woken += 1 }
        let other = hub.subscribe {}
        let slot = tree.index(ListenerParameter.gain)
        #expect(hub.listen(mine, to: "/listener/1"))
        #expect(hub.listen(other, to: "/listener/1/gain"))
        #expect(mine.takePending().contains(slot))  // The current value when it starts to listen.
        _ = other.takePending()
        #expect(woken == 1)
        #expect(hub.handle(message("/listener/1/gain", .float(-3)), from: mine) == .done)
        #expect(mine.takePending() == [])
        #expect(other.takePending() == [slot])
        #expect(hub.value(slot) == .number(-3))
    }

    /// A turn of no length ends after each parameter: the rest follows in later turns, and messages of the client keep their order.
    @Test func aPatternThatTakesLongGoesOnInLaterTurns() {
        let hub = makeHub()
        var pauses = 0
        hub.turn = 0
        hub.onPause = { pauses += 1 }
        let mine = hub.subscribe {}
        let gains = (0..<2).map { tree.index(ListenerParameter.gain, $0) }
        let front = tree.index(ListenerParameter.front)
        #expect(hub.handle(message("/listener/*/gain", .float(-3)), from: mine) == .done)
        #expect(gains.map { hub.value($0).numbers } == [[-3], [0]])
        #expect(pauses == 1 && hub.isWaiting)
        #expect(hub.handle(message("/listener/2/gain", .float(-6)), from: mine) == .done)
        #expect(hub.handle(message("/listener/1/front", .float(20)), from: mine) == .done)
        #expect(hub.value(front) == .number(0))
        // Another client's messages do not wait.
        #expect(hub.handle(message("/listener/1/gain", .float(-9)), from: hub.subscribe {}) == .done)
        #expect(gains.map { hub.value($0).numbers } == [[-9], [0]])
        var turns = 0
        while hub.isWaiting, turns < 10 {
            hub.settle(now: UInt64(turns))
            turns += 1
        }
        #expect(turns > 1 && turns < 10)
        #expect(gains.map { hub.value($0).numbers } == [[-9], [-6]])
        #expect(hub.value(front) == .number(20))
    }

    @Test func aClampedValueIsSentBackToItsSender() {
        let hub = makeHub()
        let mine = hub.subscribe {}
        _ = hub.listen(mine, to: "/listener/1/gain")
        _ = mine.takePending()
        guard case .clamped(let text) = hub.handle(message("/listener/1/gain", .float(40)), from: mine) else {
            Issue.record("not reported as clamped")
            return
        }
        #expect(text == "/listener/1/gain: 40 is outside -60 to 12; 12 was set")
        #expect(mine.takePending() == [tree.index(ListenerParameter.gain)])
    }

    @Test func onlyTheLastValueIsPending() {
        let hub = makeHub()
        var woken = 0
        let slow = hub.subscribe { woken += 1 }
        _ = hub.listen(slow, to: "/engine/load")
        _ = slow.takePending()
        for i in 1...1000 { hub.publish(tree.index(EngineParameter.load), .number(Float(i) / 1000)) }
        #expect(slow.takePending().count == 1)
        #expect(woken == 2)
    }

    /// A pending value that is dropped does not hold back the values after it.
    @Test(arguments: [true, false]) func aDroppedValueDoesNotHoldBackLaterOnes(isIgnored: Bool) {
        let hub = makeHub()
        var woken = 0
        let mine = hub.subscribe { woken += 1 }
        let (gain, load) = (tree.index(ListenerParameter.gain), tree.index(EngineParameter.load))
        _ = hub.listen(mine, to: "/listener/1/gain")
        _ = hub.listen(mine, to: "/engine/load")
        _ = mine.takePending()
        hub.handle(message("/listener/1/gain", .float(-3)))
        #expect(woken == 2)
        if isIgnored {
            _ = hub.ignore(mine, at: "/listener/1/gain")
        } else {
            hub.handle(message("/listener/1/gain", .float(-4)), from: mine)
        }
        #expect(!mine.hasPending)
        hub.publish(load, .number(0.5))
        #expect(woken == 3 && mine.hasPending, "woken \(woken) times")
        for i in 0..<1000 {
            hub.handle(message("/listener/1/gain", .float(Float(-i % 7) - 5)))
            hub.handle(message("/listener/1/gain", .float(Float(-i % 7) - 6)), from: mine)
        }
        hub.handle(message("/listener/1/gain", .float(-1)))
        #expect(Set(mine.takePending()) == (isIgnored ? [load] : [load, gain]))
        #expect(mine.takePending() == [] && !mine.hasPending)
    }

    @Test func valuesThatWereNotTakenRemainPending() {
        let hub = makeHub()
        let client = hub.subscribe {}
        _ = hub.listen(client, to: "/listener/1")
        let all = tree.nodes.filter { $0.address.hasPrefix("/listener/1/") && $0.spec.access != .write }.map(\.index)
        var taken: [Int] = []
        client.drainPending { slot in
            guard taken.count < 2 else { return false }
            taken.append(slot)
            return true
        }
        #expect(client.hasPending)
        #expect(taken + client.takePending() == all)
        #expect(!client.hasPending)
    }

    @Test func aLongWrongAddressIsCutShort() {
        let text = makeHub().suggest("/" + String(repeating: "a", count: 60_000))
        #expect(text.utf8.count < 300)
    }

    @Test func unknownAddressesAreCountedAndTheNearestIsSuggested() {
        let hub = makeHub()
        #expect(
            hub.handle(message("/listener/1/gian", .float(0)))
                == .unknown("no parameter at /listener/1/gian; did you mean /listener/1/gain?"))
        #expect(hub.handle(message("/nothing/like/it")) == .unknown("no parameter at /nothing/like/it"))
        #expect(hub.value(tree.index(EngineParameter.unknown)) == .number(2))
    }

    @Test func aPatternSetsEveryParameterItMatches() {
        let hub = makeHub()
        #expect(hub.handle(message("/listener/*/gain", .int(-9))) == .done)
        #expect(hub.value(tree.index(ListenerParameter.gain, 0)) == .number(-9))
        #expect(hub.value(tree.index(ListenerParameter.gain, 1)) == .number(-9))
    }

    @Test func aHandlerMayRefuseAValue() {
        let hub = makeHub()
        let slot = tree.index(SessionParameter.recording)
        hub.onSet(slot) { _, _ in throw Refusal.wrongType("/session/recording", expected: "a file that exists") }
        #expect(
            hub.handle(message("/session/recording", .string("x.wav")))
                == .refused("/session/recording takes a file that exists"))
        #expect(hub.value(slot) == .text(""))
    }

    @Test func aHandlerMayReplaceTheValueOfItsMessageOnly() {
        let hub = makeHub()
        let (first, second) = (tree.index(ListenerParameter.gain, 0), tree.index(ListenerParameter.gain, 1))
        let client = hub.subscribe {}
        _ = (hub.listen(client, to: "/listener/1/gain"), hub.listen(client, to: "/listener/2/gain"))
        _ = client.takePending()
        hub.onSet(first) { [hub] _, message in
            message.store(instead: .number(-20))
            hub.handle(Message(address: "/listener/2/gain", arguments: [.float(-7)], receiveTime: message.receiveTime))
        }
        #expect(hub.handle(message("/listener/1/gain", .float(-3)), from: client) == .done)
        #expect(hub.value(first) == .number(-20) && hub.value(second) == .number(-7))
        #expect(Set(client.takePending()) == [first, second], "a replaced value is sent back to its sender")
    }

    /// Of the paths above a parameter that comes later, the latest that the client has named decides.
    @Test func parametersThatComeLaterFollowTheLatestPath() {
        let hub = makeHub()
        let client = hub.subscribe {}
        func insert(_ address: String) -> [Int] {
            hub.exchange([], for: [TransientParameter("/extra/\(address)", .toggle("", ""), .number(0))])
        }
        /// Whether the client is sent a parameter that is inserted.
        func hears(_ address: String) -> Bool {
            _ = client.takePending()
            let inserted = insert(address)
            return client.takePending() == inserted
        }
        _ = insert("a/1/x") + insert("b/1/x")
        #expect(hub.listen(client, to: "/extra"))
        #expect(hears("a/2/x") && hears("b/2/x"))
        #expect(hub.ignore(client, at: "/extra/a"))
        #expect(!hears("a/3/x") && hears("b/3/x"))
        #expect(hub.listen(client, to: "/extra/a/1"))
        #expect(!hears("a/4/x") && hears("a/1/y"))
        #expect(hub.ignore(client, at: "/extra"))
        #expect(!hears("a/1/z") && !hears("b/4/x"))
    }

    private final class Reading: PendingWork {
        var isDone = false
        var limit: UInt64 { 30_000_000_000 }
        func use(_ handler: () -> Void) { handler() }
        func giveUp() {}
    }

    /// The plain path of a single number does not overtake the client's messages that wait for a file.
    @Test func numbersWaitForEarlierMessages() {
        let hub = makeHub()
        let (mine, other) = (hub.subscribe {}, hub.subscribe {})
        let (gain, recording) = (tree.index(ListenerParameter.gain), tree.index(SessionParameter.recording))
        let reading = Reading()
        hub.onNeed(recording) { _, _ in reading }
        func number(_ value: Float, _ client: Subscriber) {
            guard !hub.set(gain, to: value, time: 0, from: client) else { return }
            hub.handle(message("/listener/1/gain", .float(value)), from: client)
        }
        hub.handle(message("/session/recording", .string("x.wav")), from: mine)
        number(-3, mine)
        #expect(hub.value(gain) == .number(0))
        number(-6, other)
        #expect(hub.value(gain) == .number(-6))
        reading.isDone = true
        hub.settle(now: 1)
        #expect(hub.value(recording) == .text("x.wav") && hub.value(gain) == .number(-3) && !hub.isWaiting)
    }
}
