internal import Foundation

/// Where the end of a loop meets its start: takes away the click of a recording that does not fit itself.
///
/// Where the line through the last two samples misses the first one by more than the sound around the
/// seam moves by itself, the miss is added to the first frames and faded out of them. A recording that
/// does fit stays as it is, to the bit. No latency.
struct LoopSeam {
    /// How many frames on either side tell how much the sound moves by itself.
    static let window = 32
    /// The fade in seconds: 256 frames at 48 kHz.
    static let fadeTime = 256.0 / 48000

    /// What is added to the first frame of a further lap, per channel; 0 where nothing needs to be.
    let offsets: [Float]
    /// Frames from the seam on that are changed.
    let length: Int
    private let fade: [Float]

    /// - Parameters:
    ///   - tail: the last interleaved frames of the recording, ``window`` of them, or all when it is shorter.
    ///   - head: the first ones, likewise.
    ///   - length: frames of fade; no longer than the recording.
    init(tail: [Float], head: [Float], channels: Int, length: Int) {
        let count = tail.count / channels
        offsets = (0..<channels).map { channel in
            func column(_ samples: [Float]) -> [Float] { (0..<count).map { samples[$0 * channels + channel] } }
            return count < 3 ? 0 : Self.offset(column(tail), column(head))
        }
        self.length = offsets.allSatisfy { $0 == 0 } ? 0 : length
        fade = (0..<self.length).map { Float(0.5 + 0.5 * cos(.pi * Double($0) / Double(length))) }
    }

    /// Changes interleaved frames that begin `place` frames after the seam.
    func apply(_ samples: UnsafeMutablePointer<Float>, place: Int, frames: Int) {
        guard place < length else { return }
        for frame in 0..<min(frames, length - place) {
            let gain = fade[place + frame]
            for (channel, offset) in offsets.enumerated() where offset != 0 {
                samples[frame * offsets.count + channel] += offset * gain
            }
        }
    }

    private static func offset(_ tail: [Float], _ head: [Float]) -> Float {
        let miss = 2 * tail[tail.count - 1] - tail[tail.count - 2] - head[0]
        let usual = max(largestBend(tail), largestBend(head))
        // Twice, as the bend across a good seam may be the largest one; 1e-4 is -80 dB.
        return abs(miss) > 2 * usual + 1e-4 ? miss : 0
    }

    /// The largest second difference: by how much a line through two samples misses the next one.
    private static func largestBend(_ samples: [Float]) -> Float {
        var largest: Float = 0
        for i in 2..<samples.count {
            let expected = 2 * samples[i - 1] - samples[i - 2]
            largest = max(largest, abs(samples[i] - expected))
        }
        return largest
    }
}
