public import Session

/// A description of a room that cannot be used, with the reason for a person to read.
public struct RoomError: DescriptionError, CustomStringConvertible {
    public let description: String

    /// - Parameter description: control characters in it, which names in files may have, are replaced.
    public init(_ description: String) {
        let scalars = description.unicodeScalars.map { $0.properties.generalCategory == .control ? "\u{FFFD}" : $0 }
        self.description = String(String.UnicodeScalarView(scalars))
    }
}
