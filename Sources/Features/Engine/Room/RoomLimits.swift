import Binaural
import Numbers

/// Limits of the rooms that can be computed.
enum RoomLimits {
    /// Longest reverberation time, seconds.
    static let longestReverberation: Float = 20
    /// Smallest distance of listeners and sources from a wall, metres.
    static let margin: Float = 0.1

    /// The member of a description that makes a room unusable, and why; nil for a room that can be computed.
    static func fault(_ room: Shoebox) -> (field: String, reason: String)? {
        guard room.contains(.zero, margin: margin) else {
            return (
                "place",
                "puts the listeners, who stand at the world's origin, into a wall or outside; place is the middle of the floor, and the "
                    + "origin must be at least \(margin) m inside, for example [0, 0, -\(min(1.5, room.size[2] / 2))]"
            )
        }
        let longest = room.reverberationTimes.max()
        guard longest <= longestReverberation else {
            return (
                "walls",
                "absorb so little that sound would take \(Int(clamping: longest.isFinite ? longest.rounded() : 1e6)) s to fade; "
                    + "rooms of up to \(Int(clamping: longestReverberation)) s by Eyring's formula can be computed"
            )
        }
        return nil
    }
}
