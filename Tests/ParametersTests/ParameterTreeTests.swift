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

    /// A parameter that got another name is found at its former address, and listed at the present one alone.
    @Test func formerAddresses() {
        #expect(Self.tree.index(at: "/tracker/2/glide") == Self.tree.index(TrackerParameter.returnTime, 1))
        #expect(Self.tree.nodes[Self.tree.index(TrackerParameter.returnTime, 1)].address == "/tracker/2/return-time")
        #expect(!Self.tree.nodes.contains { $0.address.hasSuffix("/glide") })
        #expect(Self.tree.index(at: "/tracker/3/glide") == nil)
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
