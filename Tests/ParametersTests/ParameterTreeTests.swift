import Parameters
import Testing

@Suite struct ParameterTreeTests {
    static let tree = ParameterTree(listeners: 2, trackers: 2, methods: ["nearest", "linear"], objects: 2)

    @Test(arguments: tree.nodes)
    func initialLiesInRange(_ node: ParameterTree.Node) {
        for number in node.spec.initial.numbers { #expect(node.spec.range.contains(number)) }
        if node.spec.isScalar {
            #expect([node.spec.bounded(.nan)] == node.spec.initial.numbers)
            #expect(node.spec.bounded(.infinity) == node.spec.range.upperBound)
        }
    }

    @Test(arguments: tree.nodes)
    func addressesAreLowerCaseAndTitlesShort(_ node: ParameterTree.Node) {
        #expect(node.address.allSatisfy { $0.isLowercase || $0.isNumber || $0 == "/" || $0 == "-" })
        #expect(node.spec.title.count < 24)
    }

    @Test func addressesAreUnique() {
        #expect(Set(Self.tree.nodes.map(\.address)).count == Self.tree.nodes.count)
        #expect(Self.tree.index(at: "/listener/2/ear-azimuth") != nil)
        #expect(Self.tree.index(at: "/listener/3/gain") == nil)
        #expect(Self.tree.index(at: "/object/3/azimuth") == nil)
        #expect(Self.tree.index(ListenerParameter.gain, 1) == Self.tree.index(at: "/listener/2/gain"))
    }

    /// A parameter that got another name is found at its former address, and listed at the current one alone.
    @Test func formerAddresses() {
        #expect(Self.tree.index(at: "/tracker/2/glide") == Self.tree.index(TrackerParameter.returnTime, 1))
        #expect(Self.tree.nodes[Self.tree.index(TrackerParameter.returnTime, 1)].address == "/tracker/2/return-time")
        #expect(!Self.tree.nodes.contains { $0.address.hasSuffix("/glide") })
        #expect(Self.tree.index(at: "/tracker/3/glide") == nil)
    }

    @Test func formerNamesComeAndGoWithNetworkListeners() {
        var tree = ParameterTree(listeners: 1, network: 4, methods: ["nearest"])
        #expect(tree.index(at: "/listener/1/client/device") != nil && tree.index(at: "/listener/3/client/device") == nil)
        _ = tree.setPresence(ofListener: 2, true)
        #expect(tree.index(at: "/listener/3/client/device") == tree.index(at: "/listener/3/client/name"))
        _ = tree.setPresence(ofListener: 2, false)
        #expect(tree.index(at: "/listener/3/client/device") == nil)
    }

    @Test func argumentsOfClientsAreAccepted() throws {
        let tree = Self.tree
        func accept(_ address: String, _ arguments: [Argument]) throws(Refusal) -> ParameterValue {
            try tree.nodes[tree.index(at: address)!].spec.accept(arguments, at: address)
        }
        #expect(try accept("/listener/1/gain", [.int(-6)]) == .number(-6))
        #expect(try accept("/listener/1/gain", [.float(900)]) == .number(12))
        #expect(try accept("/listener/1/method", [.string("linear")]) == .number(1))
        #expect(try accept("/listener/1/ypr", [.int(1), .float(2), .double(3)]) == .vector([1, 2, 3]))
        #expect(throws: Refusal.notFinite("/listener/1/ypr")) {
            try accept("/listener/1/ypr", [.float(.nan), .float(2), .float(3)])
        }
        #expect(throws: Refusal.unknownChoice("/listener/1/method", found: "best", names: ["nearest", "linear"])) {
            try accept("/listener/1/method", [.string("best")])
        }
        #expect(throws: Refusal.readOnly("/engine/load")) { try accept("/engine/load", [.float(0)]) }
        #expect(throws: Refusal.wrongCount("/listener/1/ypr", expected: 3, found: 1)) {
            try accept("/listener/1/ypr", [.float(0)])
        }
    }

    /// NaN, infinity and a number that no 32-bit float can hold are different errors of a sender.
    @Test func numbersTooLargeForAFloatAreNamed() throws {
        let gain = try #require(Self.tree.index(at: "/listener/1/gain").map { Self.tree.nodes[$0] })
        let ypr = try #require(Self.tree.index(at: "/listener/1/ypr").map { Self.tree.nodes[$0] })
        #expect(throws: Refusal.tooLarge("/listener/1/gain", found: 1e300)) { try gain.spec.accept([.double(1e300)], at: gain.address) }
        #expect(throws: Refusal.notFinite("/listener/1/gain")) { try gain.spec.accept([.double(.infinity)], at: gain.address) }
        #expect(throws: Refusal.tooLarge("/listener/1/ypr", found: -1e39)) {
            try ypr.spec.accept([.int(0), .double(-1e39), .int(0)], at: ypr.address)
        }
        #expect(
            "\(Refusal.tooLarge("/listener/1/gain", found: 1e300))"
                == "/listener/1/gain takes 32-bit floats, up to 3.4e38; 1e+300 is too large and was ignored")
        #expect(try gain.spec.accept([.double(3e38)], at: gain.address) == .number(12))
    }

    @Test func quaternionsOfAnyLengthAreRotations() throws {
        let node = try #require(Self.tree.index(at: "/listener/1/quaternion").map { Self.tree.nodes[$0] })
        #expect(try node.spec.accept([3e38, -3e38, 3e38, 3e38].map { .float($0) }, at: node.address) == .vector([0.5, -0.5, 0.5, 0.5]))
        #expect(throws: Refusal.tooLarge(node.address, found: 1e200)) {
            try node.spec.accept([.double(1e200), .int(0), .int(0), .int(0)], at: node.address)
        }
    }

    /// A text and what may follow it.
    @Test func aWrongCountNamesEverythingThatIsTaken() throws {
        let save = try #require(Self.tree.index(at: "/rack/input/save").map { Self.tree.nodes[$0] })
        func refusal(_ arguments: [Argument]) -> String? {
            do { _ = try save.spec.accept(arguments, at: save.address) } catch { return "\(error)" }
            return nil
        }
        let form = "/rack/input/save takes a text, and then true to replace what exists or nothing"
        #expect(refusal([.string("a"), .bool(true), .int(1)]) == form + ", not 3 values")
        #expect(refusal([.string("a"), .string("b")]) == form)
        #expect(refusal([.string("a")]) == nil && refusal([.string("a"), .bool(true)]) == nil)
        let title = try #require(Self.tree.index(at: "/listener/1/name").map { Self.tree.nodes[$0] })
        #expect(throws: Refusal.wrongCount("/listener/1/name", expected: 1, found: 2)) {
            try title.spec.accept([.string("a"), .string("b")], at: title.address)
        }
    }

    @Test func rangesOfNumbersAreThoseOfTheRun() throws {
        let tree = ParameterTree(listeners: 2, network: 4, methods: ["nearest"])
        #expect(tree.nodes[tree.index(NetworkListenerParameter.remove)].spec.range == 1...6)
        #expect(Self.tree.nodes[Self.tree.index(NetworkListenerParameter.remove)].spec.range == 1...Float(ListenerLimits.all))
    }

    @Test func absentObjectsAreExplained() {
        let tree = ParameterTree(listeners: 1, methods: ["nearest"], objects: 3, firstObjects: 2)
        #expect(tree.absentObjectText(in: "/object/2/gain") == nil)
        #expect(tree.absentObjectText(in: "/object/sounds/gain") == nil)
        #expect(tree.absentObjectText(in: "/object/3/gain") == "there is no object 3: /object/add adds one")
        for number in ["4", "257", "0", "99999999999999999999"] {
            #expect(
                tree.absentObjectText(in: "/object/\(number)/gain")
                    == "there is no object \(number): objects have numbers from 1 to 3, the maximum of this engine; start it with a larger "
                    + "--objects")
        }
        let none = ParameterTree(listeners: 1, methods: ["nearest"])
        #expect(none.absentObjectText(in: "/object/1/gain")?.contains("this engine has no objects") == true)
    }

    @Test func theNumberOfObjectsFollowsTheRequest() throws {
        let (tree, none) = (Self.tree, ParameterTree(listeners: 1, methods: ["nearest"]))
        #expect(tree.index(ObjectParameter.distance, 1) == tree.index(at: "/object/2/distance"))
        #expect(none.index(at: "/object/1/distance") == nil)
        #expect(none.index(at: "/object/sounds") == nil)
        let distance = ObjectParameter.distance.spec
        #expect(try distance.accept([.float(0)], at: "") == .number(0.1))
        // Half way is the geometric mean: the taper is logarithmic.
        #expect(abs(distance.between(1, 100, 0.5) - 10) < 1e-4)
        // Behind the head, the short way crosses 180 degrees.
        let azimuth = ObjectParameter.azimuth.spec
        #expect(azimuth.between(170, -170, 0.25) == 175 && azimuth.between(170, -170, 0.75) == -175 && azimuth.between(-20, 20, 0.5) == 0)
    }

    @Test func gainInEngineUnits() {
        let spec = ListenerParameter.gain.spec
        #expect(abs(spec.engineValue(-20) - 0.1) < 1e-6)
        #expect(spec.engineValue(-60) == 0)
    }
}
