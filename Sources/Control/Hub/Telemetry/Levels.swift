/// Peak and RMS levels of several channels over a period of time; consecutive ones can be combined.
public struct Levels: Sendable, Equatable {
    /// Largest absolute values, linear.
    public private(set) var peak: [Float] = []
    /// Sums of squares.
    private var energy: [Float] = []
    private var frames: Int32 = 0

    public init() {}

    /// - Parameters:
    ///   - energy: sums of squares over `frames` frames.
    public init(peak: [Float], energy: [Float], frames: Int32) {
        self.peak = peak
        self.energy = energy
        self.frames = frames
    }

    public var isEmpty: Bool { frames == 0 }

    /// Root of the mean square, linear.
    public var rms: [Float] { energy.map { frames > 0 ? ($0 / Float(frames)).squareRoot() : 0 } }

    /// Adds the levels of the period that follows. A different number of channels means another recording and replaces them.
    public mutating func add(_ next: Levels) {
        guard !next.isEmpty else { return }
        guard peak.count == next.peak.count else {
            self = next
            return
        }
        for i in peak.indices {
            peak[i] = max(peak[i], next.peak[i])
            energy[i] += next.energy[i]
        }
        frames += next.frames
    }
}
