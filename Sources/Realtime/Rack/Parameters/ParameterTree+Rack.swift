internal import Effects
public import Parameters

extension ParameterTree {
    /// Table of the parameters of slots and branches of a rack, for `protocol/parameters.md`.
    public static var rackMarkdown: String { tableHead + rackListed.map { row($0.address, $0.spec) }.joined() }

    /// Parameters of slots and branches of a rack, which exist only as long as their slot or branch. RACK stands for the rack's address.
    public static var rackListed: [(address: String, spec: ParameterSpec)] {
        func rows<Group: ParameterGroup>(_: Group.Type) -> [(String, ParameterSpec)] {
            Group.allCases.map { ("RACK\(Group.container)/\($0.leaf)", $0.spec) }
        }
        let effects = EffectRegistry.standard.kinds.flatMap { kind in
            let parameters = kind.parameters.map { ($0.name, $0.spec) }
            let aliases = kind.parameters.compactMap(\.alias).map { ($0.name, $0.spec) }
            let former = RackSlotParameter.formerMix(kind).map { (RackSlotParameter.mix.leaf, $0) }
            return (parameters + aliases + [former].compactMap(\.self)).map { ("RACK\(kind.container)/\($0.0)", $0.1) }
        }
        return rows(RackSlotParameter.self) + rows(RackBranchParameter.self) + effects
    }
}
