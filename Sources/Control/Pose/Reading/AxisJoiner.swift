/// Joins axes received one by one into a pose: when all have arrived, when one arrives again, or after 5 ms.
struct AxisJoiner: Sendable {
    /// Maximum nanoseconds for which a pose waits for its remaining axes.
    static let window: UInt64 = 5_000_000

    private var values: [Double?]
    private var isNew: [Bool]
    private var begun: UInt64 = 0

    /// - Parameter initial: value of axes that have never arrived; nil waits for all of them.
    init(count: Int, initial: Double?) {
        values = Array(repeating: initial, count: count)
        isNew = Array(repeating: false, count: count)
    }

    /// Time at which pending axes become a pose; nil when none are pending.
    var due: UInt64? { isNew.contains(true) ? begun + Self.window : nil }

    /// - Parameter now: CLOCK_MONOTONIC nanoseconds.
    /// - Returns: all axes when they form a pose; otherwise nil.
    mutating func take(_ index: Int, _ value: Double, now: UInt64) -> [Double]? {
        var finished: [Double]?
        if isNew[index] || due.map({ now >= $0 }) == true { finished = finish() }
        if !isNew.contains(true) { begun = now }
        values[index] = value
        isNew[index] = true
        return isNew.contains(false) ? finished : finish()
    }

    /// Returns the pending axes when they are due.
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
