internal import Effects
public import Parameters

extension ParameterTree {
    /// Table of the parameters of slots and branches of a rack, which exist only as long as these, for
    /// `protocol/parameters.md`.
    public static var rackMarkdown: String {
        func rows<Group: ParameterGroup>(_: Group.Type) -> String {
            Group.allCases.map { row("RACK\(Group.container)/\($0.leaf)", $0.spec) }.joined()
        }
        let effects = EffectRegistry.standard.kinds.map { kind in
            let former = RackSlotParameter.formerMix(kind).map { row("RACK\(kind.container)/\(RackSlotParameter.mix.leaf)", $0) }
            let aliases = kind.parameters.compactMap(\.alias).map { row("RACK\(kind.container)/\($0.name)", $0.spec) }
            return kind.parameters.map { row("RACK\(kind.container)/\($0.name)", $0.spec) }.joined() + aliases.joined() + (former ?? "")
        }
        return tableHead + rows(RackSlotParameter.self) + rows(RackBranchParameter.self) + effects.joined()
    }
}
