internal import Foundation

/// The seam between the end of a loop and its start: removes the click of a recording whose end does not fit its start.
///
/// If the line through the last two samples misses the first one by more than the sound around the
/// seam moves by itself, the miss is added to the first frames and faded out of them. A recording that
/// does fit stays as it is, to the bit. No latency.
struct LoopSeam {
    /// Frames on either side by which the sound's own movement is measured.
    static let window = 32
    /// Duration of the fade in seconds: 256 frames at 48 kHz.
    static let fadeTime = 256.0 / 48000

    /// Offset of the first frame of a further lap, per channel; 0 for a channel that fits.
    let offsets: [Float]
    /// Number of frames changed after the seam.
    let length: Int
    private let fade: [Float]

    /// - Parameters:
    ///   - tail: last ``window`` interleaved frames of the recording, or all of them when it is shorter.
    ///   - head: first ``window`` frames, likewise.
    ///   - length: length of the fade in frames, at most that of the recording.
    init(tail: [Float], head: [Float], channels: Int, length: Int) {
        let count = tail.count / channels
        offsets = (0..<channels).map { channel in
            func column(_ samples: [Float]) -> [Float] { (0..<count).map { samples[$0 * channels + channel] } }
            return count < 3 ? 0 : Self.offset(column(tail), column(head))
        }
        self.length = offsets.allSatisfy { $0 == 0 } ? 0 : length
        fade = (0..<self.length).map { Float(0.5 + 0.5 * cos(.pi * Double($0) / Double(length))) }
    }

    /// Applies the fade to interleaved frames that begin `place` frames after the seam.
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
        let usual = max(largestSecondDifference(tail), largestSecondDifference(head))
        // Twice, since a continuous seam may itself have the largest second difference; 1e-4 is -80 dB.
        return abs(miss) > 2 * usual + 1e-4 ? miss : 0
    }

    /// Returns the largest second difference: how far a line through two samples misses the next one.
    private static func largestSecondDifference(_ samples: [Float]) -> Float {
        var largest: Float = 0
        for i in 2..<samples.count {
            let expected = 2 * samples[i - 1] - samples[i - 2]
            largest = max(largest, abs(samples[i] - expected))
        }
        return largest
    }
}
