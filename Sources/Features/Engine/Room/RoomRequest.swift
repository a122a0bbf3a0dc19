import Binaural

/// A request to compute a room.
struct RoomRequest: Equatable, Sendable {
    let room: Shoebox
    /// Order of the image sources.
    let order: Int
    /// Number of objects that it is made for.
    let objects: Int
}
