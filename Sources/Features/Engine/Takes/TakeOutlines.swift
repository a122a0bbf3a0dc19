import Media
import Synchronization

/// Outlines of takes that were interrupted before their outline was written. Each file is read once.
package final class TakeOutlines: Sendable {
    private struct Key: Hashable {
        var path: String
        var frames: Int64
    }

    private let known = Mutex<[Key: [Int]]>([:])

    package init() {}

    /// The outline of a sound file, in thousandths of full scale; empty for one that cannot be read.
    /// - Parameter frames: its length, which distinguishes a file from another one with the same name.
    func outline(_ path: String, frames: Int64) -> [Int] {
        let key = Key(path: path, frames: frames)
        if let outline = known.withLock({ $0[key] }) { return outline }
        var overview = TakeOverview()
        try? SoundPieces.read(path: path) { overview.add($0, frames: $1, channels: $2) }
        let outline = overview.thousandths
        known.withLock { $0[key] = outline }
        return outline
    }
}
