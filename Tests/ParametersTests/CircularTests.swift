import Parameters
import Testing

/// Circular angles, which wrap, and other numbers, which are clamped.
@Suite struct CircularTests {
    static let tree = ParameterTree(listeners: 1, trackers: 1, methods: ["nearest"], objects: 1)

    @Test(arguments: [(190, -170), (-190, 170), (180, 180), (-180, -180), (359, -1), (540, -180), (725, 5), (12.5, 12.5)])
    func azimuthsAreTurnedIntoTheirRange(_ sent: Float, _ taken: Float) throws {
        #expect(try ObjectParameter.azimuth.spec.accept([.float(sent)], at: "") == .number(taken))
        #expect(try ListenerParameter.front.spec.accept([.float(sent)], at: "") == .number(taken))
    }

    @Test func headPosesKeepTheirDirection() throws {
        let pose = ListenerParameter.ypr.spec
        #expect(try pose.accept([.float(400), .float(-10), .float(-725)], at: "") == .vector([40, -10, -5]))
        #expect(try pose.accept([.float(190), .float(0), .float(-190)], at: "") == .vector([-170, 0, 170]))
    }

    @Test func otherAnglesAreClamped() throws {
        #expect(try ObjectParameter.elevation.spec.accept([.float(100)], at: "") == .number(90))
        #expect(try ListenerParameter.earAzimuth.spec.accept([.float(300)], at: "") == .number(120))
    }

    /// A range of less than a turn could not represent every direction.
    @Test(arguments: tree.nodes.filter(\.spec.isCircular))
    func circularParametersHaveAWholeTurn(_ node: ParameterTree.Node) {
        #expect(node.spec.unit == .degree)
        #expect(node.spec.range.contains(-180) && node.spec.range.contains(180))
    }

    @Test func circularParametersAreDescribedWithoutClipping() {
        func described(_ address: String) -> OSCQueryNode {
            OSCQueryNode.describe(Self.tree, path: address) { Self.tree.nodes[$0].spec.initial }!
        }
        #expect(described("/object/1/azimuth").CLIPMODE == ["none"])
        #expect(described("/object/1/azimuth").TAGS?.contains("circular") == true)
        #expect(described("/object/1/elevation").CLIPMODE == ["both"])
    }
}
