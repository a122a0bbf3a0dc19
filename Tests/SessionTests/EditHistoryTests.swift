import Effects
import Parameters
import Rack
import Session
import Testing

@Suite struct EditHistoryTests {
    let tree = ParameterTree(listeners: 2, methods: ["nearest", "linear", "two-band"])
    let millisecond: UInt64 = 1_000_000

    func step(_ address: String, _ before: Float, _ after: Float) -> EditStep {
        let spec = tree.nodes[tree.index(at: address)!].spec
        return EditStep(settings: [.init(address: address, spec: spec, before: .number(before), after: .number(after))])
    }

    /// Records one message of a sender, milliseconds after the start.
    func record(
        _ history: inout EditHistory<String>, _ address: String, _ before: Float, _ after: Float, from sender: String = "hand",
        at time: UInt64, packet: UInt64? = nil
    ) {
        history.record(
            step(address, before, after), from: sender, target: address, packet: (packet ?? time) * millisecond,
            time: time * millisecond)
    }

    @Test func aDragIsOneStepAndAPauseBeginsAnother() {
        var history = EditHistory<String>()
        for i in 0..<100 { record(&history, "/listener/1/gain", Float(-i), Float(-i - 1) * 0.5, at: UInt64(i) * 30) }
        #expect(history.count == 1)
        #expect(history.nextUndo?.settings.first?.before == .number(0))
        #expect(history.nextUndo?.settings.first?.after == .number(-50))
        #expect(history.nextUndo?.words == "Gain, listener 1: 0 dB to -50 dB")
        let end: UInt64 = 99 * 30
        record(&history, "/listener/1/gain", -50, -20, at: end + 700)
        #expect(history.count == 1, "700 ms are still the same gesture")
        record(&history, "/listener/1/gain", -20, -10, at: end + 700 + 701)
        #expect(history.count == 2, "701 ms are not")
    }

    @Test func aGestureIsOneStepWhateverItsPausesAndParameters() {
        var history = EditHistory<String>()
        record(&history, "/listener/1/gain", 1, 0, at: 0)
        history.begin("hand", time: 10 * millisecond)
        record(&history, "/listener/1/gain", 0, -1, at: 20)
        #expect(history.count == 2, "the begin of a gesture ends the step before")
        record(&history, "/listener/1/gain", -1, -2, at: 5000)
        record(&history, "/listener/1/ear-azimuth", 90, 91, at: 60_000)
        let joins = history.continueGesture(
            "/listener/1/gain", to: .number(-3), from: "hand", packet: 1, time: 119_000 * millisecond)
        #expect(joins)
        #expect(history.count == 2)
        #expect(history.nextUndo?.settings.map(\.before) == [.number(0), .number(90)])
        #expect(history.nextUndo?.settings.map(\.after) == [.number(-3), .number(91)])
        history.end("hand")
        let next = !history.continueGesture(
            "/listener/1/gain", to: .number(-4), from: "hand", packet: 2, time: 119_001 * millisecond)
        #expect(next, "its end is the end of the step")
        record(&history, "/listener/1/gain", -3, -4, at: 119_001)
        #expect(history.count == 3)
        record(&history, "/listener/1/gain", -4, -5, at: 119_002)
        #expect(history.count == 3, "without a gesture short pauses belong to a step")
    }

    @Test func aGestureConcernsItsSenderAndEndsAfterAMinute() {
        var history = EditHistory<String>()
        history.begin("hand", time: 0)
        record(&history, "/listener/1/gain", 0, -1, from: "other", at: 10)
        record(&history, "/listener/1/gain", -1, -2, from: "other", at: 1000)
        #expect(history.count == 2, "a client that has told nothing")
        record(&history, "/listener/1/gain", -2, -3, at: 2000)
        record(&history, "/listener/1/gain", -3, -4, from: "other", at: 2010)
        record(&history, "/listener/1/gain", -4, -5, at: 2020)
        #expect(history.count == 5, "a change of another client ends the step")
        record(&history, "/listener/1/gain", -5, -6, at: 62_020)
        #expect(history.count == 5)
        record(&history, "/listener/1/gain", -6, -7, at: 122_021)
        record(&history, "/listener/1/gain", -7, -8, at: 123_000)
        #expect(history.count == 7, "after more than a minute nothing is left of the gesture")
    }

    @Test func undoDuringAGestureEndsItsStep() throws {
        var history = EditHistory<String>()
        history.begin("hand", time: 0)
        record(&history, "/listener/1/gain", 0, -1, at: 10)
        history.didUndo(try #require(history.nextUndo))
        record(&history, "/listener/2/gain", 0, -2, from: "other", at: 20)
        record(&history, "/listener/1/gain", 0, -3, at: 30)
        #expect(history.count == 2)
        record(&history, "/listener/1/gain", -3, -4, at: 2000)
        #expect(history.count == 2 && history.nextUndo?.settings.map(\.before) == [.number(0)], "the rest is a step of its own")
    }

    @Test func manyGesturesThatNeverEndLeaveTheRestAsItIs() {
        var history = EditHistory<String>()
        for sender in 0..<1000 { history.begin("\(sender)", time: UInt64(sender) * millisecond) }
        record(&history, "/listener/1/gain", 0, -1, from: "999", at: 1000)
        record(&history, "/listener/1/gain", -1, -2, from: "999", at: 2000)
        #expect(history.count == 2, "one beyond the largest number counts as none")
        history.begin("hand", time: 100_000 * millisecond)
        record(&history, "/listener/1/gain", -2, -3, at: 100_010)
        record(&history, "/listener/1/gain", -3, -4, at: 110_000)
        #expect(history.count == 3, "those that are over make room")
    }

    @Test func twoClientsMakeTwoStepsInTheirOrder() {
        var history = EditHistory<String>()
        record(&history, "/listener/1/gain", 0, -1, from: "one", at: 0)
        record(&history, "/listener/1/gain", -1, -2, from: "two", at: 10)
        record(&history, "/listener/1/gain", -2, -3, from: "one", at: 20)
        #expect(history.count == 3, "a change of another client ends the step")
        record(&history, "/listener/2/gain", 0, -7, from: "two", at: 30)
        record(&history, "/listener/1/gain", -3, -4, from: "one", at: 40)
        #expect(history.count == 4, "another parameter in between does not end a gesture")
    }

    @Test func onePacketIsOneStepAndSoIsAPatternedMessage() {
        var history = EditHistory<String>()
        for i in 0..<10 {
            record(&history, "/listener/1/gain", Float(-i), Float(-i - 1), at: UInt64(i) * 20)
            record(&history, "/listener/1/ear-azimuth", 90 + Float(i), 91 + Float(i), at: UInt64(i) * 20)
        }
        #expect(history.count == 1, "two parameters in each bundle of a drag")
        #expect(history.nextUndo?.settings.map(\.after) == [.number(-10), .number(100)])
        var both = step("/listener/1/gain", -10, 3)
        both.settings += step("/listener/2/gain", 0, 3).settings
        history.record(both, from: "hand", target: "/listener/*/gain", packet: 9_000_000_000, time: 9_000_000_000)
        #expect(history.count == 2)
        #expect(history.nextUndo?.words == "Gain, listener 1: -10 dB to 3 dB, and 1 more")
    }

    @Test func undoAndRedoAreInverse() throws {
        var history = EditHistory<String>()
        var gain: Float = 0
        for (i, value) in [Float(-1), -2, -3].enumerated() {
            record(&history, "/listener/1/gain", gain, value, at: UInt64(i) * 1000)
            gain = value
        }
        func go(_ isBack: Bool) throws {
            let step = try #require(isBack ? history.nextUndo : history.nextRedo)
            let value = isBack ? step.settings[0].before : step.settings[0].after
            var actual = step
            (actual.settings[0].before, actual.settings[0].after) = (.number(gain), value)
            gain = value.numbers[0]
            if isBack { history.didUndo(actual) } else { history.didRedo(actual, from: "hand", time: 0) }
        }
        var heard: [Float] = []
        for isBack in [true, true, true, false, false, true, false, false] {
            try go(isBack)
            heard.append(gain)
        }
        #expect(heard == [-2, -1, 0, -1, -2, -1, -2, -3])
        #expect(history.nextRedo == nil)
        try go(true)
        record(&history, "/listener/1/gain", -2, -9, at: 9000)
        #expect(history.nextRedo == nil, "a new change clears the redo steps")
    }

    /// A value moved since, without the history's knowledge: undo restores it, and redo brings back the moved value.
    @Test func redoRestoresValuesChangedBeforeTheUndo() {
        var history = EditHistory<String>()
        record(&history, "/listener/1/gain", 0, -6, at: 0)
        history.didUndo(step("/listener/1/gain", -20, 0))
        #expect(history.nextRedo?.settings.first?.before == .number(0))
        #expect(history.nextRedo?.settings.first?.after == .number(-20))
        history.didRedo(step("/listener/1/gain", 5, -20), from: "hand", time: 0)
        #expect(history.nextUndo?.settings.first?.before == .number(5))
        // The value is already the one to restore: nothing changes, and redo has its previous target.
        history.didUndo(EditStep())
        #expect(history.nextRedo?.settings.first?.after == .number(-20))
    }

    @Test func afterAnUndoTheSameGestureIsANewStep() {
        var history = EditHistory<String>()
        record(&history, "/listener/1/gain", 0, -1, at: 0)
        record(&history, "/listener/2/gain", 0, -1, at: 10)
        history.didUndo(step("/listener/2/gain", -1, 0))
        record(&history, "/listener/1/gain", -1, -2, at: 20)
        #expect(history.count == 2)
    }

    @Test func racksAreStepsOfTheirOwn() {
        var history = EditHistory<String>()
        record(&history, "/listener/1/gain", 0, -1, at: 0)
        let racks = EditStep(
            title: "Add effect: delay, rack recording",
            racks: ["recording": .init(before: RackDescription(), after: RackDescription([.slot(.init(.delay))]))])
        history.record(racks, from: "hand", target: "/rack/recording/add", packet: 1, time: 1)
        history.record(racks, from: "hand", target: "/rack/recording/add", packet: 2, time: 2)
        #expect(history.count == 3)
        record(&history, "/listener/1/gain", -1, -2, at: 10)
        #expect(history.count == 4, "a replacement of all values ends the gesture")
        #expect(racks.words == "Add effect: delay, rack recording")
    }

    @Test func emptyStepsAreIgnoredAndTheOldestAreDropped() {
        var history = EditHistory<String>()
        record(&history, "/listener/1/gain", -1, -1, at: 0)
        #expect(history.nextUndo == nil)
        let (most, slack) = (EditHistory<String>.most, EditHistory<String>.slack)
        for i in 0..<UInt64(most + 150) {
            record(&history, "/listener/1/gain", Float(i), Float(i) + 1, at: i * 2000)
            #expect(history.count <= most + slack)
        }
        #expect(history.count >= most)
        #expect(history.nextUndo?.settings.first?.after == .number(Float(most + 150)))
    }

    /// A mixing desk sends all its faders repeatedly: each fader is one step, whatever happens in between.
    @Test func simultaneousGesturesAreSeparateSteps() throws {
        var tree = ParameterTree(listeners: 1, methods: ["nearest"])
        let spec = tree.nodes[tree.index(ListenerParameter.gain)].spec
        let addresses = (0..<200).map { "/fader/\($0)" }
        for address in addresses { _ = tree.insert(address, spec) }
        var history = EditHistory<String>()
        for round in 0..<20 {
            for (i, address) in addresses.enumerated() {
                let (before, after) = (Float(-round), Float(-round - 1))
                let time = UInt64(round * 600 + i) * millisecond
                if history.continueGesture(address, to: .number(after), from: "desk", packet: time, time: time) {
                    #expect(round > 0)
                    continue
                }
                let step = EditStep(settings: [.init(address: address, spec: spec, before: .number(before), after: .number(after))])
                history.record(step, from: "desk", target: address, packet: time, time: time)
            }
        }
        #expect(history.count == 200)
        for address in addresses.reversed() {
            let step = try #require(history.nextUndo)
            #expect(step.settings.map(\.address) == [address])
            #expect(step.settings[0].before == .number(0) && step.settings[0].after == .number(-20))
            history.didUndo(step)
        }
        let time = UInt64(20 * 600) * millisecond
        let goesOn = history.continueGesture(addresses[0], to: .number(-1), from: "desk", packet: time, time: time)
        #expect(!goesOn, "an undone gesture does not continue")
    }

    @Test func aGestureEndsWithItsClientAndItsPause() {
        var history = EditHistory<String>()
        @discardableResult func continueGesture(_ sender: String, at time: UInt64) -> Bool {
            history.continueGesture("/listener/1/gain", to: .number(-5), from: sender, packet: time * millisecond, time: time * millisecond)
        }
        record(&history, "/listener/1/gain", 0, -1, from: "one", at: 0)
        #expect(continueGesture("one", at: 10))
        #expect(!continueGesture("two", at: 20))
        #expect(!continueGesture("one", at: 711))
        #expect(continueGesture("one", at: 710))
        history.close()
        #expect(!continueGesture("one", at: 720))
        record(&history, "/listener/1/gain", -5, -6, from: "one", at: 730)
        #expect(continueGesture("one", at: 740))
        record(&history, "/listener/1/gain", -5, -7, from: "two", at: 750)
        #expect(!continueGesture("one", at: 760), "another client has changed it since")
        #expect(history.count == 3)
    }
}
