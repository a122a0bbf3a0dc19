internal import Files

/// A page of ``StaticFiles`` with the parts that it names: `{{> head}}` stands for the file `pages/head.html`.
struct StaticPage {
    let bytes: [UInt8]
    /// Sum of the times of the last changes of its files, nanoseconds: another one when any of them has changed.
    let changed: Int

    /// - Parameter part: opens a part by its name; nothing stands for a part that does not exist.
    /// - Returns: nil for a file that is not UTF-8 text.
    init?(_ file: RegularFile, part: (String) -> RegularFile?) {
        guard let source = try? file.text() else { return nil }
        var (page, rest, changed) = ("", source[...], file.changed)
        while let open = rest.firstRange(of: "{{> "), let close = rest[open.upperBound...].firstRange(of: "}}") {
            page += rest[..<open.lowerBound]
            if let file = part(String(rest[open.upperBound..<close.lowerBound])), let text = try? file.text() {
                page += text
                changed = changed &+ file.changed
            }
            rest = rest[close.upperBound...]
        }
        bytes = Array((page + rest).utf8)
        self.changed = changed
    }
}
