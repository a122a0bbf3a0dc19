import Rack
import RackCore

extension RackSlot {
    /// Processes `sound` in blocks at 120 beats per minute.
    mutating func run(_ sound: Sound, block: Int = 64) -> Sound {
        var result = sound
        var left = [Float](repeating: 0, count: block + 16)
        var right = left
        var at = 0
        while at < sound.frames {
            let count = min(block, sound.frames - at)
            for i in 0..<count { (left[i], right[i]) = (sound.left[at + i], sound.right[at + i]) }
            process(&left, &right, frames: count, tempo: 120)
            for i in 0..<count { (result.left[at + i], result.right[at + i]) = (left[i], right[i]) }
            at += count
        }
        return result
    }
}
