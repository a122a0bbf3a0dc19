import CRealtime
import Hub
import Parameters
import RenderInterface
import Testing

@testable import OSCControl

/// ADM-OSC's messages, from their bytes to the parameters and back.
@Suite struct ADMTests {
    let desk = ADMDesk()

    @Test func polarMessagesSetParameters() {
        desk.unit(10)
        desk.say("/adm/obj/1/azim", .float(-22.5))
        desk.say("/adm/obj/1/elev", .int(12))
        desk.say("/adm/obj/1/dist", .float(0.9))
        #expect(near(desk.place(), [-22.5, 12, 9]))
        desk.say("/adm/obj/2/aed", [-30, 10, 0.5])
        #expect(near(desk.place(1), [-30, 10, 5]) && near(desk.place(), [-22.5, 12, 9]))
        #expect(near(desk.ask("/adm/obj/2/aed"), [-30, 10, 0.5]))
        #expect(desk.ask("/adm/obj/2/azim") == [-30] && desk.ask("/adm/obj/2/elev") == [10] && near(desk.ask("/adm/obj/2/dist"), [0.5]))
        for azimuth: Float in [-180, 180] {
            desk.say("/adm/obj/1/azim", .float(azimuth))
            #expect(desk.value(.azimuth) == azimuth && desk.log.isEmpty)
        }
    }

    @Test func cartesianMessagesSetParameters() {
        desk.unit(10)
        desk.say("/adm/obj/1/xyz", [1, 0, 0])
        #expect(near(desk.place(), [-90, 0, 10]), "x is to the right, azimuth to the left")
        desk.say("/adm/obj/1/y", .float(1))
        #expect(near(desk.place(), [-45, 0, 14.142_136]))
        desk.say("/adm/obj/1/xy", [-0.5, 0])
        #expect(near(desk.place(), [90, 0, 5]))
        desk.say("/adm/obj/1/z", .float(0.5))
        #expect(near(desk.place(), [90, 45, 7.071_068]))
        #expect(near(desk.ask("/adm/obj/1/xyz"), [-0.5, 0, 0.5], 1e-6) && near(desk.ask("/adm/obj/1/xy"), [-0.5, 0], 1e-6))
        #expect(near(desk.ask("/adm/obj/1/x") + desk.ask("/adm/obj/1/y") + desk.ask("/adm/obj/1/z"), [-0.5, 0, 0.5], 1e-6))
    }

    @Test func originKeepsDirectionAndStatedPosition() {
        desk.say("/adm/obj/1/aed", [40, 20, 1])
        desk.say("/adm/obj/1/xyz", [0, 0, 0])
        #expect(near(desk.place(), [40, 20, 0.1]) && desk.log.isEmpty, "the nearest that there is, in the direction it had")
        // One after the other leads to where all three together lead, though 0.1 m is the shortest distance.
        desk.say("/adm/obj/1/x", .float(0.5))
        #expect(near(desk.place(), [-90, 0, 0.5]))
        desk.say("/adm/obj/1/x", .float(0))
        desk.say("/adm/obj/1/z", .float(-0.5))
        #expect(near(desk.place(), [-90, -90, 0.5]), "straight below, every azimuth is as good")
        // Somebody else moves it: what was said does not count any more.
        desk.set(.azimuth, 0, 90)
        desk.set(.elevation, 0, 0)
        desk.say("/adm/obj/1/y", .float(0.5))
        #expect(near(desk.place(), [45, 0, 0.707_107]))
    }

    @Test func gainMuteAndNameSetParameters() {
        desk.say("/adm/obj/1/gain", .float(0.5))
        #expect(abs(desk.value(.gain) + 6.0206) < 1e-3 && near(desk.ask("/adm/obj/1/gain"), [0.5]))
        desk.say("/adm/obj/1/gain", .float(0))
        #expect(desk.value(.gain) == -60 && desk.ask("/adm/obj/1/gain") == [0] && desk.log.isEmpty)
        desk.say("/adm/obj/1/mute", .int(1))
        #expect(desk.value(.mute) == 1)
        desk.say("/adm/obj/1/mute")
        #expect(desk.sent.map(\.message.arguments) == [[.int(1)]])
        desk.say("/adm/obj/1/name", .string("kickdrum"))
        desk.say("/adm/obj/1/name")
        #expect(desk.sent.map(\.message.arguments) == [[.string("kickdrum")]])
        desk.say("/adm/obj/1/name", .string(String(repeating: "ä", count: 129)))
        #expect(desk.hub.value(desk.tree.index(ObjectParameter.name)).text == String(repeating: "ä", count: 128) && desk.log.count == 1)
    }

    @Test func unitDistanceIsAParameterAndMovesNoObject() {
        #expect(desk.ask("/adm/obj/2/dmax") == [1] && desk.ask("/adm/obj/1/dist") == [1], "what the standard begins with")
        desk.say("/adm/obj/2/dMax", .float(20))
        #expect(desk.hub.value(desk.tree.index(ObjectScale.unitDistance)) == .number(20) && desk.ask("/adm/obj/1/dMax") == [20])
        #expect(desk.value(.distance) == 1 && near(desk.ask("/adm/obj/1/dist"), [0.05]))
        // What is farther than 1 is told at the end of what can be said, in its direction.
        desk.set(.distance, 0, 60)
        desk.set(.azimuth, 0, -45)
        #expect(desk.ask("/adm/obj/1/dist") == [1] && near(desk.ask("/adm/obj/1/xyz"), [1, 1, 0]))
    }

    @Test func valuesAreClampedToTheSpecifiedRanges() {
        for (address, numbers, expected) in [
            ("/adm/obj/1/elev", [-91], [0, -90, 1]), ("/adm/obj/1/dist", [1.5], [0, -90, 1]), ("/adm/obj/1/aed", [0, 0, -1], [0, 0, 0.1]),
            ("/adm/obj/1/xyz", [-3, 0, 0], [90, 0, 1]),
        ] as [(String, [Float], [Float])] {
            desk.say(address, numbers)
            #expect(near(desk.place(), expected), "\(address) \(numbers): \(desk.place())")
            #expect(desk.log.count == 1 && desk.log[0].contains("is outside"), "\(desk.log)")
        }
        desk.say("/adm/obj/1/xyz", [-3, 0, 0])
        #expect(desk.log == ["/adm/obj/1/xyz: -3 0 0 is outside -1 to 1; -1 0 0 was set"])
        desk.say("/adm/obj/1/gain", .float(10))
        #expect(desk.value(.gain) == 12 && desk.log == ["/object/1/gain: 20 is outside -60 to 12; 12 was set"])
        desk.say("/adm/obj/1/gain", .float(-1))
        #expect(desk.value(.gain) == -60 && desk.log == ["/adm/obj/1/gain: -1 is outside 0 to inf; 0 was set"])
    }

    @Test func azimuthsWrap() {
        for (address, numbers, expected) in [
            ("/adm/obj/1/azim", [181], [-179, 0, 1]), ("/adm/obj/1/azim", [-190], [170, 0, 1]),
            ("/adm/obj/1/aed", [-999, 0, 1], [81, 0, 1]),
        ] as [(String, [Float], [Float])] {
            desk.say(address, numbers)
            #expect(near(desk.place(), expected), "\(address) \(numbers): \(desk.place())")
            #expect(desk.log.isEmpty)
        }
    }

    @Test func invalidMessagesAreRefusedWithoutEffect() {
        let before = desk.place()
        for (address, arguments, words) in [
            ("xyz", [.float(1), .float(0)], "/adm/obj/1/xyz takes 3 values, not 2"),
            ("azim", [.float(.nan)], "/adm/obj/1/azim takes finite numbers; NaN or infinity was sent and ignored"),
            (
                "aed", [.float(10), .float(.infinity), .float(1)],
                "/adm/obj/1/aed takes finite numbers; NaN or infinity was sent and ignored"
            ),
            ("x", [.string("left")], "/adm/obj/1/x takes numbers"),
            ("gain", [.float(.nan)], "/adm/obj/1/gain takes finite numbers; NaN or infinity was sent and ignored"),
            ("name", [.int(3)], "/object/1/name takes a text"),
        ] as [(String, [Argument], String)] {
            switch arguments.count {
            case 1: desk.say("/adm/obj/1/\(address)", arguments[0])
            case 2: desk.say("/adm/obj/1/\(address)", arguments[0], arguments[1])
            default: desk.say("/adm/obj/1/\(address)", arguments[0], arguments[1], arguments[2])
            }
            #expect(desk.log == [words])
            #expect(desk.edits.isEmpty && desk.place() == before && desk.value(.gain) == 0)
        }
    }

    @Test(arguments: [
        "/adm/obj/4/azim", "/adm/obj/0/azim", "/adm/obj/01/azim", "/adm/obj/1/w", "/adm/obj/1/bril", "/adm/obj/azim", "/adm/obj/9*/gain",
        "/adm",
    ])
    func missingObjectsAreReportedAsUnknownAddresses(_ address: String) {
        let unknown = desk.tree.index(EngineParameter.unknown)
        desk.say(address, .float(1))
        #expect(desk.log.count == 1 && desk.log[0].hasPrefix("no parameter at \(address)"))
        #expect(desk.hub.value(unknown) == .number(1))
        desk.say(address)
        #expect(desk.sent.isEmpty && desk.hub.value(unknown) == .number(2), "a question for nothing is one more")
    }

    @Test func patternsSetEveryMatchingObject() {
        desk.say("/adm/obj/*/gain", .float(0.5))
        #expect((0..<3).allSatisfy { abs(desk.value(.gain, $0) + 6.0206) < 1e-3 })
        #expect(desk.edits.count == 1 && desk.edits[0].changes.count == 3, "one step of undo")
        desk.say("/adm/obj/[1-2]/aed", [10, 20, 1])
        #expect((0..<3).map { desk.value(.azimuth, $0) } == [10, 10, 0])
        desk.say("/adm/obj/{1,3}/mute", .int(1))
        #expect((0..<3).map { desk.value(.mute, $0) } == [1, 0, 1])
        desk.say("/adm/obj/2/[xy]", .float(0.5))
        #expect(near(desk.ask("/adm/obj/2/xy"), [0.5, 0.5], 1e-6), "both, though each is a message of its own")
        desk.say("/adm/obj/?/azim")
        #expect(desk.sent.map(\.message.address) == (1...3).map { "/adm/obj/\($0)/azim" })
        #expect(desk.sent.allSatisfy { $0.to == desk.me })
    }

    @Test func oneMessageIsOneEdit() {
        desk.say("/adm/obj/1/xyz", [1, 1, 1])
        #expect(desk.edits.map { $0.changes.map(\.address) } == [["/object/1/azimuth", "/object/1/elevation", "/object/1/distance"]])
        desk.say("/adm/obj/1/gain", .float(0.25))
        desk.say("/adm/obj/1/gain", .float(0.5))  // By its bytes alone.
        #expect(desk.edits.map { $0.changes.map(\.address) } == [["/object/1/gain"]])
    }

    /// What is known of an address by its bytes makes no difference.
    @Test func cachedAddressesGiveTheSameResult() {
        let seed = UInt64.random(in: 0..<1_000_000)
        print("seed \(seed)")
        var random = Seeded(state: seed)
        desk.unit(7)
        for _ in 0..<400 {
            let word = ["azim", "elev", "dist", "gain", "mute"].randomElement(using: &random)!
            let number = [0, 1, 0.5, -0.25, 300, .nan, Float.random(in: 0...1, using: &random)].randomElement(using: &random)!
            let fresh = ADMDesk()
            fresh.unit(7)
            for parameter in [ObjectParameter.azimuth, .elevation, .distance, .gain, .mute] {
                fresh.set(parameter, 1, desk.value(parameter, 1))
            }
            desk.say("/adm/obj/2/\(word)", .float(number))
            fresh.say("/adm/obj/2/\(word)", .float(number))
            #expect(desk.log == fresh.log)
            for parameter in [ObjectParameter.azimuth, .elevation, .distance, .gain, .mute] {
                #expect(desk.value(parameter, 1) == fresh.value(parameter, 1), "\(word) \(number)")
            }
        }
    }

    @Test func scheduledMessagesAreAnnouncedToTheRenderer() {
        let due = rt_now() + 10_000_000_000
        desk.say("/adm/obj/1/aed", [90, 30, 0.5], time: due)
        let slots = [ObjectParameter.azimuth, .elevation, .distance].map { desk.tree.index($0) }
        #expect(desk.scheduled.map { Int($0.index) } == slots && desk.scheduled.map(\.value) == [90, 30, 0.5])
        #expect(desk.scheduled.allSatisfy { $0.time == due } && desk.place() == [0, 0, 1], "nothing has changed yet")
        // x, y and z of one bundle build on each other before any of them is true.
        desk.say("/adm/obj/2/x", .float(-1), time: due)
        desk.say("/adm/obj/2/y", .float(0), time: due)
        desk.say("/adm/obj/2/z", .float(0), time: due)
        #expect(near(desk.scheduled.map(\.value), [90, 0, 1]))
        desk.say("/adm/obj/1/gain", .float(0), time: due)
        #expect(desk.scheduled.map(\.value) == [0], "the renderer's own unit")
        desk.say("/adm/obj/1/azim", .float(.nan), time: due)
        #expect(desk.scheduled.isEmpty && desk.log.isEmpty, "said when its time has come")
    }

    @Test func subscribersReceiveADMMessages() {
        desk.say("/subscribe", .string("/adm/obj"), .int(60), from: desk.other)
        #expect(desk.sent.first?.message.address == "/subscribed")
        #expect(
            Set(desk.sent.dropFirst().map(\.message.address))
                == Set(
                    (1...3).flatMap { object in
                        ["aed", "gain", "mute", "name"].map { "/adm/obj/\(object)/\($0)" }
                    }))
        desk.say("/adm/obj/2/xyz", [0, 0.5, 0])
        #expect(
            desk.sent.map(\.message) == [
                Message(address: "/adm/obj/2/aed", arguments: [.float(0), .float(0), .float(0.5)], receiveTime: 0)
            ])
        #expect(desk.sent.first?.to == desk.other)
        desk.say("/object/2/gain", .float(-60))
        #expect(desk.sent.map(\.message.arguments) == [[.float(0)]])
        // Not what one sends oneself.
        desk.say("/adm/obj/2/aed", .float(1), .float(2), .float(0.5), from: desk.other)
        #expect(desk.sent.isEmpty)
        // Another unit is another distance of everything.
        desk.say("/object/unit-distance", .float(2))
        #expect(desk.sent.map(\.message.address) == (1...3).map { "/adm/obj/\($0)/aed" })
        desk.say("/unsubscribe", .string("/adm/obj"), from: desk.other)
        desk.say("/adm/obj/2/gain", .float(1))
        #expect(desk.sent.isEmpty)
    }

    @Test func polarAndCartesianSubscriptionsCoexist() {
        desk.say("/subscribe", .string("/object/1/azimuth"), .int(60))
        desk.say("/subscribe", .string("/adm/obj/1/xyz"), .int(60))
        desk.say("/object/1/azimuth", .float(90), from: desk.other)
        #expect(desk.sent.map(\.message.address) == ["/object/1/azimuth", "/adm/obj/1/xyz"])
        #expect(near(desk.sent.last?.message.arguments.compactMap(\.number) ?? [], [-1, 0, 0]))
        desk.say("/object/1/distance", .float(0.5), from: desk.other)
        #expect(desk.sent.map(\.message.address) == ["/adm/obj/1/xyz"])
        desk.say("/unsubscribe", .string("/adm/obj/1/xyz"))
        desk.say("/object/1/azimuth", .float(0), from: desk.other)
        #expect(desk.sent.map(\.message.address) == ["/object/1/azimuth"])
        desk.say("/subscribe", .string("/adm/obj/9"), .int(60))
        #expect(desk.sent.map(\.message.address) == ["/error"])
    }

    @Test func environmentChangeRecallsAScene() {
        var names: [ParameterValue] = []
        desk.hub.onSet(desk.tree.index(SceneParameter.recall)) { value, _ in names.append(value) }
        desk.say("/adm/env/change", .string("verse"))
        #expect(names == [.text("verse")])
        desk.hub.publish(desk.tree.index(SceneParameter.current), .text("verse"))
        desk.say("/adm/env/change")
        #expect(desk.sent.map(\.message.arguments) == [[.string("verse")]])
    }

    @Test func noObjectsMeansNoObjectAddresses() {
        let desk = ADMDesk(objects: 0)
        desk.say("/adm/obj/1/azim", .float(1))
        #expect(desk.log.count == 1 && desk.log[0].hasPrefix("no parameter at"))
        desk.say("/subscribe", .string("/adm/obj"), .int(60))
        #expect(desk.sent.map(\.message.address) == ["/error"])
    }
}
