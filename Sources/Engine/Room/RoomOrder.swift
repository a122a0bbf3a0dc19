import Binaural

/// An order for a room to be computed.
struct RoomOrder: Equatable, Sendable {
    let room: Shoebox
    /// Order of the image sources.
    let order: Int
}
