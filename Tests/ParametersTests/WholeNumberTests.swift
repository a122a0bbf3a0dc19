import Parameters
import Testing

/// Parameters and commands that take whole numbers.
struct WholeNumberTests {
    let tree = ParameterTree(
        listeners: 2, network: 4, trackers: 2, methods: ["nearest", "linear"], presets: ["Warm", "Cold"], cues: ["bell", "knock"],
        objects: 2,
        mappings: 2, cueList: 2)

    private var whole: [ParameterTree.Node] {
        tree.nodes.filter { $0.spec.isWhole && $0.spec.access != .read && $0.spec.range.upperBound > $0.spec.range.lowerBound }
    }

    private func accept(_ node: ParameterTree.Node, _ number: Float) throws(Refusal) -> ParameterValue {
        try node.spec.accept(.init(repeating: .float(number), count: node.spec.count ?? 1), at: node.address)
    }

    @Test func aFractionIsRefusedByAllOfThem() {
        #expect(whole.count > 20)
        for node in whole {
            let fraction = node.spec.range.lowerBound + 0.7
            #expect(throws: Refusal.notWhole(node.address, found: fraction)) { try accept(node, fraction) }
        }
    }

    @Test func wholeFloatsStayAccepted() throws {
        for node in whole {
            let number = node.spec.range.lowerBound + 1
            #expect(try accept(node, number) == .init(numbers: .init(repeating: number, count: node.spec.count ?? 1)))
        }
    }

    /// A setting is brought into its range. A command would act on something that was not named.
    @Test func commandsRefuseNumbersOutOfRange() throws {
        for node in whole {
            let number = node.spec.range.upperBound + 1
            // The largest count is beyond what a float can exceed by one.
            guard number != node.spec.range.upperBound else { continue }
            if node.spec.access == .write {
                #expect(throws: Refusal.outOfRange(node.address, found: number, node.spec.range)) { try accept(node, number) }
            } else {
                #expect(try accept(node, number).numbers.first == node.spec.range.upperBound)
            }
        }
    }

    @Test func refusalsSaySo() {
        #expect("\(Refusal.notWhole("/listener/remove", found: 3.7))" == "/listener/remove takes whole numbers, not 3.7")
        #expect("\(Refusal.outOfRange("/deck/play", found: 0, 1...500))" == "/deck/play takes 1 to 500, not 0")
    }

    @Test func togglesTakeAnyNumber() throws {
        let mute = try #require(tree.nodes.first { $0.address == "/listener/1/mute" })
        #expect(try accept(mute, 0.7) == .number(1) && accept(mute, 0.2) == .number(0))
    }
}
