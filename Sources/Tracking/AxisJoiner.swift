/// Joins axes that come one at a time to one pose: when all are there, when one comes again, or after 5 ms.
struct AxisJoiner: Sendable {
    /// Nanoseconds after which a pose does not wait for more of its axes.
    static let window: UInt64 = 5_000_000

    private var values: [Double?]
    private var isNew: [Bool]
    private var begun: UInt64 = 0

    /// - Parameter initial: what axes count as that never came; nil waits for all of them.
    init(count: Int, initial: Double?) {
        values = Array(repeating: initial, count: count)
        isNew = Array(repeating: false, count: count)
    }

    /// When the axes that wait become a pose; nil when none wait.
    var due: UInt64? { isNew.contains(true) ? begun + Self.window : nil }

    /// - Parameter now: CLOCK_MONOTONIC nanoseconds.
    /// - Returns: all axes, when they are a pose now.
    mutating func take(_ index: Int, _ value: Double, now: UInt64) -> [Double]? {
        var finished: [Double]?
        if isNew[index] || due.map({ now >= $0 }) == true { finished = finish() }
        if !isNew.contains(true) { begun = now }
        values[index] = value
        isNew[index] = true
        return isNew.contains(false) ? finished : finish()
    }

    /// What waits, when its time has come.
    mutating func release(now: UInt64) -> [Double]? {
        guard let due, now >= due else { return nil }
        return finish()
    }

    private mutating func finish() -> [Double]? {
        for i in isNew.indices { isNew[i] = false }
        let known = values.compactMap { $0 }
        return known.count == values.count ? known : nil
    }
}
