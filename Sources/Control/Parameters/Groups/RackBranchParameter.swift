/// One of several parallel rows of a rack. It exists as long as the row does.
public enum RackBranchParameter: Int, ParameterGroup {
    case mix

    public static let container = "/branch/{n}"
    public static let summary = "A row parallel to others, counted in the order of the layout."

    public var spec: ParameterSpec {
        .init(
            title: "Branch mix", summary: "Gain of the row in the sum.", range: 0...4,
            initial: .number(1), role: .branchMix, smoothing: .slot)
    }
}
