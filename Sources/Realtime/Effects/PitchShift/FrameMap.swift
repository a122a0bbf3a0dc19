internal import CRealtime
internal import DSP

/// Chooses the part of the input that a frame of ``PhaseVocoder`` holds, and the part of the output that it may reach, so that an attack is
/// heard once and in time.
///
/// After an attack the sound is resampled from there on, without any change of phases, as long as the frames may lead or lag; later they
/// return to the time of the output. Frames before an attack do not contain it, and no frame is heard on the other side of it.
struct FrameMap: BitwiseCopyable, Sendable {
    /// Output sample of the frame's centre.
    private(set) var centre = 0
    /// Input sample of the frame's centre, and the fraction beyond it.
    private(set) var place = 0
    private(set) var rest = 0.0
    /// The attack before the frame; long ago if there was none.
    private(set) var attack = -1 << 40
    /// The attack after the frame; far in the future if there is none.
    private(set) var next = 1 << 60
    /// Samples from the last frame to this one in the input, and in the output before it is resampled.
    private(set) var hop = 0
    private(set) var stretched = 0.0
    /// Whether the phases of this frame are kept.
    private(set) var isReset = true
    private(set) var ratio = Double.nan
    /// Samples by which the frame is ahead of the output.
    private var lead = 0.0
    private var isRaw = false

    /// Longest resampled part after an attack, the farthest that a frame leads, and the fades, in samples.
    private let rawLength: Double
    private let farthest: Double
    private let edge: Int
    private let burst: Int

    init(rate: Float, farthest: Int) {
        rawLength = Double(rate) * 0.03
        self.farthest = Double(farthest)
        edge = Int(clamping: rate / 1000)
        burst = Int(clamping: rate * 0.008)
    }

    @_noLocks @_noAllocation
    mutating func reset() {
        attack = -1 << 40
        next = 1 << 60
        isReset = true
        lead = 0
        ratio = .nan
    }

    /// Advances to the frame at another output sample.
    @_noLocks @_noAllocation
    mutating func advance(to centre: Int, ratio: Double, _ onsets: inout OnsetFinder) {
        let (lastCentre, lastPlace, lastRest, lastRatio) = (self.centre, place, rest, self.ratio)
        self.centre = centre
        self.ratio = ratio
        let isUnshifted = ratio == 1 && lastRatio == 1
        isReset = isUnshifted || lastRatio != lastRatio
        var isFirst = false
        while onsets.next <= centre {
            attack = onsets.next
            isReset = true
            isFirst = true
            onsets.take()
        }
        next = onsets.next
        let since = Double(centre &- attack)
        // The first frame contains the attack, even where it needs input that has not arrived yet.
        isRaw = isFirst || since < (ratio > 1 ? min(rawLength, farthest / (ratio - 1)) : rawLength)
        lead = isRaw ? (ratio - 1) * since : min(0.8 * lead, farthest)
        if isUnshifted || abs(lead) < 0.01 { lead = 0 }
        let exact = Double(centre) + lead
        place = Int(clamping: exact)
        rest = exact - Double(place)
        hop = place &- lastPlace
        stretched = 0.5 * (ratio + (lastRatio == lastRatio ? lastRatio : ratio)) * Double(centre &- lastCentre) - rest + lastRest
        if hop == 0 { isReset = true }
    }

    /// Shortens the window of a frame at the attacks before and after it, and where the input ends.
    ///
    /// - Parameter shape: window of the frame.
    @_noLocks @_noAllocation
    func cut(_ shape: UnsafeMutablePointer<Float>, length: Int) {
        let start = place &- length / 2
        let end = min(next, centre &+ length / 2 &+ Int(clamping: farthest))
        if end &- start < length {
            for i in max(0, end &- edge &- start)..<length {
                shape[i] *= max(0, min(1, Float(end &- start &- i) / Float(edge)))
            }
        }
        // The burst of the attack itself was resampled.
        let (from, to) = isRaw ? (attack &- edge, attack &- edge) : (attack &+ burst / 2, attack &+ burst * 3 / 2)
        guard to > start else { return }
        for i in 0..<min(length, to &- start) {
            shape[i] *= max(0, Float(start &+ i &- from) / Float(max(1, to &- from)))
        }
    }
}
