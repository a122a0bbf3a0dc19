import CRealtime
import DSP
import Hub
import Parameters
import RenderInterface
import TestSupport
import Testing

@testable import OSCControl

/// ADM-OSC messages, from their bytes to the parameters and back.
@Suite struct ADMTests {
    let rig = ADMRig()

    @Test func polarMessagesSetParameters() {
        rig.unit(10)
        rig.send("/adm/obj/1/azim", .float(-22.5))
        rig.send("/adm/obj/1/elev", .int(12))
        rig.send("/adm/obj/1/dist", .float(0.9))
        #expect(near(rig.place(), [-22.5, 12, 9]))
        rig.send("/adm/obj/2/aed", [-30, 10, 0.5])
        #expect(near(rig.place(1), [-30, 10, 5]) && near(rig.place(), [-22.5, 12, 9]))
        #expect(near(rig.ask("/adm/obj/2/aed"), [-30, 10, 0.5]))
        #expect(rig.ask("/adm/obj/2/azim") == [-30] && rig.ask("/adm/obj/2/elev") == [10] && near(rig.ask("/adm/obj/2/dist"), [0.5]))
        for azimuth: Float in [-180, 180] {
            rig.send("/adm/obj/1/azim", .float(azimuth))
            #expect(rig.value(.azimuth) == azimuth && rig.log.isEmpty)
        }
    }

    @Test func cartesianMessagesSetParameters() {
        rig.unit(10)
        rig.send("/adm/obj/1/xyz", [1, 0, 0])
        #expect(near(rig.place(), [-90, 0, 10]), "x is to the right, azimuth to the left")
        rig.send("/adm/obj/1/y", .float(1))
        #expect(near(rig.place(), [-45, 0, 14.142_136]))
        rig.send("/adm/obj/1/xy", [-0.5, 0])
        #expect(near(rig.place(), [90, 0, 5]))
        rig.send("/adm/obj/1/z", .float(0.5))
        #expect(near(rig.place(), [90, 45, 7.071_068]))
        #expect(near(rig.ask("/adm/obj/1/xyz"), [-0.5, 0, 0.5], 1e-6) && near(rig.ask("/adm/obj/1/xy"), [-0.5, 0], 1e-6))
        #expect(near(rig.ask("/adm/obj/1/x") + rig.ask("/adm/obj/1/y") + rig.ask("/adm/obj/1/z"), [-0.5, 0, 0.5], 1e-6))
    }

    @Test func originKeepsDirectionAndStatedPosition() {
        rig.send("/adm/obj/1/aed", [40, 20, 1])
        rig.send("/adm/obj/1/xyz", [0, 0, 0])
        #expect(near(rig.place(), [40, 20, 0.1]) && rig.log.isEmpty, "the smallest distance, in the previous direction")
        // Coordinates sent one by one lead to the same position as all three together, in spite of the shortest
        // distance of 0.1 m.
        rig.send("/adm/obj/1/x", .float(0.5))
        #expect(near(rig.place(), [-90, 0, 0.5]))
        rig.send("/adm/obj/1/x", .float(0))
        rig.send("/adm/obj/1/z", .float(-0.5))
        #expect(near(rig.place(), [-90, -90, 0.5]), "straight below, the azimuth is arbitrary")
        // Another client moves the object: earlier coordinates no longer count.
        rig.set(.azimuth, 0, 90)
        rig.set(.elevation, 0, 0)
        rig.send("/adm/obj/1/y", .float(0.5))
        #expect(near(rig.place(), [45, 0, 0.707_107]))
    }

    @Test func gainMuteAndNameSetParameters() {
        rig.send("/adm/obj/1/gain", .float(0.5))
        #expect(abs(rig.value(.gain) + 6.0206) < 1e-3 && near(rig.ask("/adm/obj/1/gain"), [0.5]))
        rig.send("/adm/obj/1/gain", .float(0))
        #expect(rig.value(.gain) == -60 && rig.ask("/adm/obj/1/gain") == [0] && rig.log.isEmpty)
        rig.send("/adm/obj/1/mute", .int(1))
        #expect(rig.value(.mute) == 1)
        rig.send("/adm/obj/1/mute")
        #expect(rig.sent.map(\.message.arguments) == [[.int(1)]])
        rig.send("/adm/obj/1/name", .string("kickdrum"))
        rig.send("/adm/obj/1/name")
        #expect(rig.sent.map(\.message.arguments) == [[.string("kickdrum")]])
        rig.send("/adm/obj/1/name", .string(String(repeating: "ä", count: 129)))
        #expect(rig.hub.value(rig.tree.index(ObjectParameter.name)).text == String(repeating: "ä", count: 128) && rig.log.count == 1)
    }

    @Test func unitDistanceIsAParameterAndMovesNoObject() {
        #expect(rig.ask("/adm/obj/2/dmax") == [1] && rig.ask("/adm/obj/1/dist") == [1], "initial values of the standard")
        rig.send("/adm/obj/2/dMax", .float(20))
        #expect(rig.hub.value(rig.tree.index(ObjectScale.unitDistance)) == .number(20) && rig.ask("/adm/obj/1/dMax") == [20])
        #expect(rig.value(.distance) == 1 && near(rig.ask("/adm/obj/1/dist"), [0.05]))
        // A distance above 1 is reported as 1, with its direction.
        rig.set(.distance, 0, 60)
        rig.set(.azimuth, 0, -45)
        #expect(rig.ask("/adm/obj/1/dist") == [1] && near(rig.ask("/adm/obj/1/xyz"), [1, 1, 0]))
    }

    @Test func valuesAreClampedToTheSpecifiedRanges() {
        for (address, numbers, expected) in [
            ("/adm/obj/1/elev", [-91], [0, -90, 1]), ("/adm/obj/1/dist", [1.5], [0, -90, 1]), ("/adm/obj/1/aed", [0, 0, -1], [0, 0, 0.1]),
            ("/adm/obj/1/xyz", [-3, 0, 0], [90, 0, 1]),
        ] as [(String, [Float], [Float])] {
            rig.send(address, numbers)
            #expect(near(rig.place(), expected), "\(address) \(numbers): \(rig.place())")
            #expect(rig.log.count == 1 && rig.log[0].contains("is outside"), "\(rig.log)")
        }
        rig.send("/adm/obj/1/xyz", [-3, 0, 0])
        #expect(rig.log == ["/adm/obj/1/xyz: -3 0 0 is outside -1 to 1; -1 0 0 was set"])
        rig.send("/adm/obj/1/gain", .float(10))
        #expect(rig.value(.gain) == 12 && rig.log == ["/object/1/gain: 20 is outside -60 to 12; 12 was set"])
        rig.send("/adm/obj/1/gain", .float(-1))
        #expect(rig.value(.gain) == -60 && rig.log == ["/adm/obj/1/gain: -1 is outside 0 to inf; 0 was set"])
    }

    @Test func azimuthsWrap() {
        for (address, numbers, expected) in [
            ("/adm/obj/1/azim", [181], [-179, 0, 1]), ("/adm/obj/1/azim", [-190], [170, 0, 1]),
            ("/adm/obj/1/aed", [-999, 0, 1], [81, 0, 1]),
        ] as [(String, [Float], [Float])] {
            rig.send(address, numbers)
            #expect(near(rig.place(), expected), "\(address) \(numbers): \(rig.place())")
            #expect(rig.log.isEmpty)
        }
    }

    @Test func invalidMessagesAreRefusedWithoutEffect() {
        let before = rig.place()
        for (address, arguments, words) in [
            ("xyz", [.float(1), .float(0)], "/adm/obj/1/xyz takes 3 values, not 2"),
            ("azim", [.float(.nan)], "/adm/obj/1/azim takes finite numbers; NaN or infinity was sent and ignored"),
            (
                "aed", [.float(10), .float(.infinity), .float(1)],
                "/adm/obj/1/aed takes finite numbers; NaN or infinity was sent and ignored"
            ),
            ("x", [.string("left")], "/adm/obj/1/x takes numbers; the text \"left\" was sent"),
            ("gain", [.float(.nan)], "/adm/obj/1/gain takes finite numbers; NaN or infinity was sent and ignored"),
            ("name", [.int(3)], "/object/1/name takes a text"),
        ] as [(String, [Argument], String)] {
            switch arguments.count {
            case 1: rig.send("/adm/obj/1/\(address)", arguments[0])
            case 2: rig.send("/adm/obj/1/\(address)", arguments[0], arguments[1])
            default: rig.send("/adm/obj/1/\(address)", arguments[0], arguments[1], arguments[2])
            }
            #expect(rig.log == [words])
            #expect(rig.edits.isEmpty && rig.place() == before && rig.value(.gain) == 0)
        }
    }

    @Test(arguments: [
        "/adm/obj/4/azim", "/adm/obj/0/azim", "/adm/obj/01/azim", "/adm/obj/1/w", "/adm/obj/1/bril", "/adm/obj/azim", "/adm/obj/9*/gain",
        "/adm",
    ])
    func missingObjectsAreReportedAsUnknownAddresses(_ address: String) {
        let unknown = rig.tree.index(EngineParameter.unknown)
        rig.send(address, .float(1))
        #expect(rig.log.count == 1 && rig.log[0].hasPrefix("no parameter at \(address)"))
        #expect(rig.hub.value(unknown) == .number(1))
        rig.send(address)
        #expect(rig.sent.isEmpty && rig.hub.value(unknown) == .number(2), "an unknown query is counted as well")
    }

    @Test func patternsSetEveryMatchingObject() {
        rig.send("/adm/obj/*/gain", .float(0.5))
        #expect((0..<3).allSatisfy { abs(rig.value(.gain, $0) + 6.0206) < 1e-3 })
        #expect(rig.edits.count == 1 && rig.edits[0].changes.count == 3, "one step of undo")
        rig.send("/adm/obj/[1-2]/aed", [10, 20, 1])
        #expect((0..<3).map { rig.value(.azimuth, $0) } == [10, 10, 0])
        rig.send("/adm/obj/{1,3}/mute", .int(1))
        #expect((0..<3).map { rig.value(.mute, $0) } == [1, 0, 1])
        rig.send("/adm/obj/2/[xy]", .float(0.5))
        #expect(near(rig.ask("/adm/obj/2/xy"), [0.5, 0.5], 1e-6), "both, although each is a separate message")
        rig.send("/adm/obj/?/azim")
        #expect(rig.sent.map(\.message.address) == (1...3).map { "/adm/obj/\($0)/azim" })
        #expect(rig.sent.allSatisfy { $0.to == rig.me })
    }

    @Test func oneMessageIsOneEdit() {
        rig.send("/adm/obj/1/xyz", [1, 1, 1])
        #expect(rig.edits.map { $0.changes.map(\.address) } == [["/object/1/azimuth", "/object/1/elevation", "/object/1/distance"]])
        rig.send("/adm/obj/1/gain", .float(0.25))
        rig.send("/adm/obj/1/gain", .float(0.5))  // Found by its bytes alone.
        #expect(rig.edits.map { $0.changes.map(\.address) } == [["/object/1/gain"]])
    }

    /// Caching addresses by their bytes does not change the result.
    @Test func cachedAddressesGiveTheSameResult() {
        var random = SeededRandom()
        rig.unit(7)
        for _ in 0..<400 {
            let word = ["azim", "elev", "dist", "gain", "mute"].randomElement(using: &random)!
            let number = [0, 1, 0.5, -0.25, 300, .nan, Float.random(in: 0...1, using: &random)].randomElement(using: &random)!
            let fresh = ADMRig()
            fresh.unit(7)
            for parameter in [ObjectParameter.azimuth, .elevation, .distance, .gain, .mute] {
                fresh.set(parameter, 1, rig.value(parameter, 1))
            }
            rig.send("/adm/obj/2/\(word)", .float(number))
            fresh.send("/adm/obj/2/\(word)", .float(number))
            #expect(rig.log == fresh.log)
            for parameter in [ObjectParameter.azimuth, .elevation, .distance, .gain, .mute] {
                #expect(rig.value(parameter, 1) == fresh.value(parameter, 1), "\(word) \(number)")
            }
        }
    }

    @Test func scheduledMessagesAreAnnouncedToTheRenderer() {
        let due = rt_now() + 3_600_000_000_000
        rig.send("/adm/obj/1/aed", [90, 30, 0.5], time: due)
        let slots = [ObjectParameter.azimuth, .elevation, .distance].map { rig.tree.index($0) }
        #expect(rig.scheduled.map { Int($0.index) } == slots && rig.scheduled.map(\.value) == [90, 30, 0.5])
        #expect(rig.scheduled.allSatisfy { $0.time == due } && rig.place() == [0, 0, 1], "nothing has changed yet")
        // x, y and z of one bundle are combined before any of them is due.
        rig.send("/adm/obj/2/x", .float(-1), time: due)
        rig.send("/adm/obj/2/y", .float(0), time: due)
        rig.send("/adm/obj/2/z", .float(0), time: due)
        #expect(near(rig.scheduled.map(\.value), [90, 0, 1]))
        rig.send("/adm/obj/1/gain", .float(0), time: due)
        #expect(rig.scheduled.map(\.value) == [0], "the unit of the renderer")
        rig.send("/adm/obj/1/azim", .float(.nan), time: due)
        #expect(rig.scheduled.isEmpty && rig.log.isEmpty, "logged at its time")
    }

    @Test func subscribersReceiveADMMessages() {
        rig.send("/subscribe", .string("/adm/obj"), .int(60), from: rig.other)
        #expect(rig.sent.first?.message.address == "/subscribed")
        #expect(
            Set(rig.sent.dropFirst().map(\.message.address))
                == Set(
                    (1...3).flatMap { object in
                        ["aed", "gain", "mute", "name"].map { "/adm/obj/\(object)/\($0)" }
                    }))
        rig.send("/adm/obj/2/xyz", [0, 0.5, 0])
        #expect(
            rig.sent.map(\.message) == [
                Message(address: "/adm/obj/2/aed", arguments: [.float(0), .float(0), .float(0.5)], receiveTime: 0)
            ])
        #expect(rig.sent.first?.to == rig.other)
        rig.send("/object/2/gain", .float(-60))
        #expect(rig.sent.map(\.message.arguments) == [[.float(0)]])
        // A client's own changes are not sent back to it.
        rig.send("/adm/obj/2/aed", .float(1), .float(2), .float(0.5), from: rig.other)
        #expect(rig.sent.isEmpty)
        // Another unit changes all distances.
        rig.send("/object/unit-distance", .float(2))
        #expect(rig.sent.map(\.message.address) == (1...3).map { "/adm/obj/\($0)/aed" })
        rig.send("/unsubscribe", .string("/adm/obj"), from: rig.other)
        rig.send("/adm/obj/2/gain", .float(1))
        #expect(rig.sent.isEmpty)
    }

    @Test func polarAndCartesianSubscriptionsCoexist() {
        rig.send("/subscribe", .string("/object/1/azimuth"), .int(60))
        rig.send("/subscribe", .string("/adm/obj/1/xyz"), .int(60))
        rig.send("/object/1/azimuth", .float(90), from: rig.other)
        #expect(rig.sent.map(\.message.address) == ["/object/1/azimuth", "/adm/obj/1/xyz"])
        #expect(near(rig.sent.last?.message.arguments.compactMap(\.number) ?? [], [-1, 0, 0]))
        rig.send("/object/1/distance", .float(0.5), from: rig.other)
        #expect(rig.sent.map(\.message.address) == ["/adm/obj/1/xyz"])
        rig.send("/unsubscribe", .string("/adm/obj/1/xyz"))
        rig.send("/object/1/azimuth", .float(0), from: rig.other)
        #expect(rig.sent.map(\.message.address) == ["/object/1/azimuth"])
        rig.send("/subscribe", .string("/adm/obj/9"), .int(60))
        #expect(rig.sent.map(\.message.address) == ["/error"])
    }

    @Test func environmentChangeRecallsAScene() {
        var names: [ParameterValue] = []
        rig.hub.onSet(rig.tree.index(SceneParameter.recall)) { value, _ in names.append(value) }
        rig.send("/adm/env/change", .string("verse"))
        #expect(names == [.text("verse")])
        rig.hub.publish(rig.tree.index(SceneParameter.current), .text("verse"))
        rig.send("/adm/env/change")
        #expect(rig.sent.map(\.message.arguments) == [[.string("verse")]])
    }

    @Test func noObjectsMeansNoObjectAddresses() {
        let rig = ADMRig(objects: 0)
        rig.send("/adm/obj/1/azim", .float(1))
        #expect(rig.log.count == 1 && rig.log[0].hasPrefix("no parameter at"))
        rig.send("/subscribe", .string("/adm/obj"), .int(60))
        #expect(rig.sent.map(\.message.address) == ["/error"])
    }
}
