/// What files of former versions say, in the words of the present one.
enum SessionMigration {
    /// By version; each leads to the next.
    private static let steps: [Int: @Sendable (inout [String: LocatedJSON]) -> Void] = [1: leavePosesOut]

    /// - Parameter version: of the file, at most the present one.
    static func migrate(_ fields: inout [String: LocatedJSON], from version: Int) {
        for step in version..<max(version, SessionFile.version) { steps[step]?(&fields) }
    }

    /// Version 1 kept where heads pointed.
    @Sendable private static func leavePosesOut(_ fields: inout [String: LocatedJSON]) {
        guard let parameters = fields["parameters"], case .object(let members) = parameters.value else { return }
        let poses = ["/ypr", "/quaternion"]
        fields["parameters"] = LocatedJSON(
            line: parameters.line,
            value: .object(
                members.filter { member in
                    !(member.name.hasPrefix("/listener/") && poses.contains { member.name.hasSuffix($0) })
                }))
    }
}
