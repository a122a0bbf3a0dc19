/// Steps of several moving things in the order of time: the recent ones, and the last one of each before them.
struct TakeSteps<Step> {
    /// Maximum number of steps that are kept; beyond that, the oldest are dropped.
    private static var most: Int { 4_000_000 }
    private(set) var recent: ArraySlice<Step> = []
    private var former: [Int: Step] = [:]
    private let of: (Step) -> Int
    private let at: (Step) -> Int64

    /// - Parameters:
    ///   - of: returns the number of the thing to which a step belongs.
    ///   - at: returns the sample from which a step applies.
    init(of: @escaping (Step) -> Int, at: @escaping (Step) -> Int64) { (self.of, self.at) = (of, at) }

    mutating func add(_ step: Step) {
        recent.append(step)
        if recent.count > Self.most { forget() }
    }

    private mutating func forget() { if let first = recent.popFirst() { former[of(first)] = first } }

    mutating func trim(before sample: Int64) {
        while let first = recent.first, at(first) < sample { forget() }
        // A slice keeps the memory of elements that were removed.
        if recent.startIndex > recent.count + 1024 { recent = ArraySlice(Array(recent)) }
    }

    /// The steps that apply at a sample, then those after it.
    func all(from sample: Int64) -> [Step] {
        var present = former
        var later: [Step] = []
        for step in recent { if at(step) <= sample { present[of(step)] = step } else { later.append(step) } }
        return present.sorted { $0.key < $1.key }.map(\.value) + later
    }

    /// Takes out the recent steps.
    mutating func takeRecent() -> [Step] {
        defer { while !recent.isEmpty { forget() } }
        return Array(recent)
    }
}
