/// A description of a room that cannot be used, with the reason for a person to read.
public struct RoomError: Error, CustomStringConvertible {
    public let description: String

    init(_ description: String) { self.description = description }
}
