/// Migrates files of older versions to the current one.
enum SessionMigration {
    /// Step from each version to the next.
    private static let steps: [Int: @Sendable (inout [String: LocatedJSON]) -> Void] = [1: removePoses]

    /// - Parameter version: version of the file, at most the current one.
    static func migrate(_ fields: inout [String: LocatedJSON], from version: Int) {
        for step in version..<max(version, SessionFile.version) { steps[step]?(&fields) }
    }

    /// Version 1 kept head poses.
    @Sendable private static func removePoses(_ fields: inout [String: LocatedJSON]) {
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
