/// A sound file in memory, for libsndfile to write.
final class SoundMemory {
    private(set) var bytes: [UInt8] = []
    /// Place of the next byte to be read or written.
    private(set) var position = 0

    /// Writes at the position, over earlier bytes and beyond the end.
    func write(_ new: UnsafeRawBufferPointer) {
        if bytes.count < position + new.count { bytes += [UInt8](repeating: 0, count: position + new.count - bytes.count) }
        bytes.withUnsafeMutableBytes { UnsafeMutableRawBufferPointer(rebasing: $0[position...]).copyMemory(from: new) }
        position += new.count
    }

    /// Reads at the position; returns the number of bytes read.
    func read(into target: UnsafeMutableRawBufferPointer) -> Int {
        let count = min(target.count, max(0, bytes.count - position))
        guard count > 0 else { return 0 }
        bytes.withUnsafeBytes { target.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[position..<(position + count)])) }
        position += count
        return count
    }

    /// Moves the position; one before the beginning is the beginning.
    func seek(to place: Int) { position = max(0, place) }
}
