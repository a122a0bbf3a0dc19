import Testing

@testable import Parameters

/// Content and cost of a declaration.
@Suite struct DeclarationTests {
    /// A scalar costs two lines: its case and its declaration.
    private enum Lamp: Int, ParameterGroup {
        case brightness
        static let container = "/lamp/{n}"
        static let summary = "A lamp."
        var spec: ParameterSpec {
            switch self {
            case .brightness: .init(title: "Brightness", summary: "Share of the light.", range: 0...1, initial: .number(0))
            }
        }
    }

    @Test func aCaseAndADeclarationMakeAParameter() throws {
        let tree = ParameterTree([(Lamp.self, 2)])
        let index = try #require(tree.index(at: "/lamp/2/brightness"))
        #expect(index == tree.index(Lamp.brightness, 1))
        let spec = tree.nodes[index].spec
        #expect(try spec.accept([.int(3)], at: "/lamp/2/brightness") == .number(1))
        #expect(spec.isScalar && spec.keeping == .scene && spec.isGradual)
        #expect(tree.markdown.contains("| `/lamp/{n}/brightness` | f | Brightness: Share of the light. | 0 to 1 | 0 |"))
        let root = try #require(OSCQueryNode.describe(tree, path: "/") { tree.nodes[$0].spec.initial })
        let lamp = try #require(root.CONTENTS?["lamp"]?.CONTENTS?["2"])
        #expect(lamp.DESCRIPTION == "A lamp." && lamp.CONTENTS?["brightness"]?.ACCESS == 3)
    }

    @Test func choicesTakeTheirNamesFromTheirList() {
        let tree = ParameterTree(listeners: 1, methods: ["a", "b", "c"], method: "b", presets: ["p"], cues: ["x", "y"])
        func spec(_ address: String) -> ParameterSpec { tree.nodes[tree.index(at: address)!].spec }
        #expect(spec("/listener/1/method").kind == .choice(["a", "b", "c"]))
        #expect(spec("/listener/1/method").initial == .number(1) && spec("/listener/1/method").range == 0...2)
        #expect(spec("/rack/input/preset").kind == .choice(["p"]))
        #expect(spec("/cue/play").kind == .choice(["x", "y"]) && spec("/cue/play").access == .write)
    }

    /// A name of an earlier release is accepted, and is not the one that is told.
    @Test func choicesAcceptTheirFormerNames() throws {
        let tree = ParameterTree(listeners: 1, methods: ["a", "b"], formerMethods: ["old": "b", "older": "none"])
        let spec = tree.nodes[tree.index(at: "/listener/1/method")!].spec
        #expect(spec.kind == .choice(["a", "b"]))
        let value = try spec.accept([.string("old")], at: "/m")
        #expect(value == .number(1) && spec.arguments(value) == [.string("b")])
        for unknown in ["older", "none", "Old"] {
            #expect(throws: Refusal.unknownChoice("/m", found: unknown, names: ["a", "b"])) {
                try spec.accept([.string(unknown)], at: "/m")
            }
        }
    }

    @Test func namesAndNumbersOfStatesBelongTogether() {
        #expect(ListenerClient.Mode.names == ["none", "server-rendered", "client-rendered", "offline"])
        #expect(ListenerClient.Mode.allCases.map(\.number) == [0, 1, 2, 3])
        for mode in ListenerClient.Mode.allCases { #expect(ListenerClient.Mode(number: mode.number) == mode) }
        for number: Float in [-1, 0.5, 4, .nan, .infinity] { #expect(ListenerClient.Mode(number: number) == nil) }
    }

    @Test func textsAndListsHaveALimit() throws {
        let text = ParameterSpec.text("Name", "A name.").limited(to: 8)
        #expect(try text.accept([.string("12345678")], at: "/a") == .text("12345678"))
        #expect(throws: Refusal.tooLong("/a", limit: 8, found: 9)) { try text.accept([.string("1234567é")], at: "/a") }
        #expect("\(Refusal.tooLong("/a", limit: 8, found: 9))" == "/a takes a text of at most 8 bytes, not 9")
        let list = ParameterSpec.list("Gains", -60...24, unit: .decibel, "Gains.", access: .readWrite)
        let most = try list.accept(Array(repeating: .float(1), count: list.mostNumbers), at: "/b")
        #expect(most.numbers.count == list.mostNumbers)
        #expect(throws: Refusal.tooMany("/b", limit: list.mostNumbers, found: list.mostNumbers + 1)) {
            try list.accept(Array(repeating: .float(1), count: list.mostNumbers + 1), at: "/b")
        }
    }

    @Test func textsHaveNoControlCharacters() throws {
        let text = ParameterSpec.text("List", "Names, one per line.")
        let name = text.inOneLine
        for fine in ["Zoë 👩‍🚀", "שלום", "a\tb", ""] {
            #expect(try text.accept([.string(fine)], at: "/a") == .text(fine))
            #expect(try name.accept([.string(fine)], at: "/a") == .text(fine))
        }
        for control: Unicode.Scalar in ["\0", "\u{1B}", "\u{7F}", "\u{9B}", "\u{202E}", "\u{2066}"] {
            #expect(throws: Refusal.controlCharacter("/a", found: control.value)) {
                try text.accept([.string("a\(control)b")], at: "/a")
            }
        }
        for lineBreak: Unicode.Scalar in ["\n", "\r", "\u{2028}"] {
            let lines = "a\(lineBreak)b"
            #expect(try text.accept([.string(lines)], at: "/a") == .text(lines))
            #expect(throws: Refusal.controlCharacter("/a", found: lineBreak.value)) { try name.accept([.string(lines)], at: "/a") }
        }
        #expect("\(Refusal.controlCharacter("/a", found: 0x1B))" == "/a takes a text without the control character U+001B")
    }

    /// A wrong choice is not repeated as a whole to the sender.
    @Test func longWordsAreShortenedInRefusals() {
        let choice = ParameterSpec.choice("Kind", ["a"], "A kind.")
        let error = #expect(throws: Refusal.self) { try choice.accept([.string(String(repeating: "x", count: 60_000))], at: "/a") }
        #expect(error.map { "\($0)".utf8.count < 200 } == true)
    }

    @Test func everySettableTextHasALimitBelowADatagram() {
        for node in ParameterTreeTests.tree.nodes where node.spec.kind == .text && node.spec.access != .read {
            // Commands, whose text is not kept, may be longer than values.
            #expect((1...(node.spec.access == .write ? 40_000 : 4096)).contains(node.spec.longestText), "\(node.address)")
        }
    }

    @Test func keepingIsDeclared() {
        let tree = ParameterTree(listeners: 1, trackers: 1, methods: ["a"], objects: 1)
        func keeping(_ address: String) -> Keeping { tree.nodes[tree.index(at: address)!].spec.keeping }
        #expect(keeping("/listener/1/gain") == .scene && keeping("/object/1/azimuth") == .scene)
        #expect(keeping("/listener/1/front") == .session && keeping("/scene/crossfade") == .session)
        #expect(keeping("/tracker/1/source") == .session && keeping("/tracker/1/state") == .nothing)
        #expect(keeping("/session/recording") == .field)
        for address in ["/listener/1/ypr", "/listener/1/quaternion", "/rack/input/layout", "/engine/load", "/transport/play"] {
            #expect(keeping(address) == .nothing, "\(address)")
        }
    }

    @Test func everyReportedOrSentValueIsKeptByNothing() {
        for node in ParameterTreeTests.tree.nodes where node.spec.access != .readWrite {
            #expect(node.spec.keeping == .nothing, "\(node.address)")
        }
    }

    @Test func formerRolesArePublishedForARelease() throws {
        let tree = ParameterTreeTests.tree
        let node = try #require(OSCQueryNode.describe(tree, path: "/latency/listener/1/waiting") { tree.nodes[$0].spec.initial })
        #expect(node.TAGS?.prefix(2) == ["latency.waiting", "way.waiting"])
        #expect(node.TAGS?.dropFirst(2) == ["part.p50", "part.p95", "part.p99", "part.max"])
    }
}
