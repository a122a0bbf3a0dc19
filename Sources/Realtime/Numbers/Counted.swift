/// A number and its noun, in the singular for one: "1 source", "2 sources".
///
/// - Parameters:
///   - noun: in the singular.
///   - plural: nil for the noun with an s.
public func counted(_ count: Int, _ noun: String, plural: String? = nil) -> String {
    "\(count) \(count == 1 ? noun : plural ?? noun + "s")"
}
