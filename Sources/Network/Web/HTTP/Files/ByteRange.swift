/// The bytes of a file that a Range header requests.
enum ByteRange: Equatable {
    /// The whole file: no header, a header of another form, or several ranges at once.
    case whole
    case part(Range<Int>)
    /// A range outside of the file: status 416.
    case unsatisfiable

    /// - Parameter size: of the file, in bytes.
    init(_ header: String?, size: Int) {
        guard let header, header.hasPrefix("bytes="), !header.contains(",") else {
            self = .whole
            return
        }
        let ends = header.dropFirst(6).split(separator: "-", omittingEmptySubsequences: false)
        guard ends.count == 2 else {
            self = .whole
            return
        }
        let (first, last) = (Self.number(ends[0]), Self.number(ends[1]))
        switch (first, last) {
        case (let first?, let last?) where first <= last:
            self = first < size ? .part(first..<min(size, last + 1)) : .unsatisfiable
        case (let first?, nil) where ends[1].isEmpty:
            self = first < size ? .part(first..<size) : .unsatisfiable
        case (nil, let last?) where ends[0].isEmpty:
            self = last > 0 && size > 0 ? .part(max(0, size - last)..<size) : .unsatisfiable
        default: self = .whole
        }
    }

    /// A number of digits only, too few to overflow.
    private static func number(_ text: Substring) -> Int? {
        text.utf8.count <= 18 && text.utf8.allSatisfy { $0 >= 0x30 && $0 <= 0x39 } ? Int(text) : nil
    }
}
