/// Levels of some channels over a time; two of them that follow each other can be put together.
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

    /// Puts what comes after to it. Another number of channels is another recording: what was before is forgotten.
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
