import Effects
import Parameters
import Rack
import RackCore
import Testing

/// A new effect costs its folder and one line: ``Toy`` runs in a rack and is mentioned nowhere else.
@Suite struct ToyTests {
    /// The last line is what an effect adds to the registry.
    static let registry = EffectRegistry(
        EffectRegistry.standard.kinds + [
            .toy
        ])

    @Test func isFoundThroughItsRegistry() throws {
        let toy = try #require(Self.registry.kind(named: "toy"))
        #expect(toy == .toy)
        #expect(Self.registry.number(of: toy) == EffectRegistry.standard.kinds.count)
        #expect(Self.registry.kind(at: EffectRegistry.standard.kinds.count) == toy)
        #expect(EffectRegistry.standard.kind(named: "toy") == nil)
        #expect(EffectRegistry.standard.number(of: toy) == nil)
    }

    @Test func parametersComeFromTheDeclaration() {
        let toy = EffectKind.toy
        #expect(toy.container == "/slot/{n}/toy")
        #expect(toy.parameters.map(\.name) == ["gain", "is-inverted"])
        #expect(toy.parameters.map(\.spec.place) == [0, 1])
        #expect(toy.parameters[0].spec.range == 0...2)
        #expect(toy.initial == [0.5, 0])
        #expect(!toy.hasFile && !toy.hasInterval && !toy.measuresReduction)
        #expect(toy.benchmarks.map { $0.values(0) } == [[0.5, 0], [0.5, 1]])
    }

    @Test func isAddedSetProcessedAndRemoved() throws {
        var bench = LiveRackTests.Bench()
        var number = 0
        try bench.edit { number = try $0.add(.toy) }
        bench.run(blocks: 10) { _ in 1 }
        #expect(bench.output.suffix(64).allSatisfy { $0 == 0.5 })
        bench.builder.set(number, RackSlot.Control.first, 2)
        bench.builder.set(number, RackSlot.Control.first + 1, 1)
        bench.run(blocks: 400) { _ in 1 }
        #expect(bench.output.suffix(64).allSatisfy { $0 == -2 })
        try bench.edit { try $0.remove(number) }
        bench.run(blocks: 400) { _ in 1 }
        #expect(bench.output.suffix(64).allSatisfy { $0 == 1 })
        #expect(bench.output.allSatisfy { abs($0) <= 2 })
    }
}
