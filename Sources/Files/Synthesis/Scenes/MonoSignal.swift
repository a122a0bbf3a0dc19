public import Media

/// A mono source in memory.
public final class MonoSignal: MonoSource {
    public let name: String
    public let rate: Int
    public let samples: [Float]
    private var place = 0

    public init(name: String, rate: Int, samples: [Float]) {
        self.name = name
        self.rate = rate
        self.samples = samples
    }

    public var frames: Int { samples.count }

    public func seek(to frame: Int) { place = frame }

    public func read(into target: UnsafeMutablePointer<Float>, frames count: Int) -> Int {
        let take = max(0, min(count, samples.count - place))
        samples.withUnsafeBufferPointer { memory in
            guard take > 0, let base = memory.baseAddress else { return }
            target.update(from: base + place, count: take)
        }
        place += take
        return take
    }
}
