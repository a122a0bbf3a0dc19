/// One row that stands beside others in a rack; there as long as the row is.
public enum RackBranchParameter: Int, ParameterGroup {
    case mix

    public static let container = "/branch/{n}"
    public static let summary = "A row beside others, counted in the order of the layout."

    public var spec: ParameterSpec {
        .init(
            title: "Branch mix", summary: "Factor with which it is added to those beside it.", range: 0...4,
            initial: .number(1), role: .branchMix)
    }
}
