/// Finds the times of day that have passed, each at most once a day, even when the clock is set.
struct DailyWatch {
    private var last: WallTime?
    /// Day on which the time of each place last passed.
    private var passed: [Int: Int] = [:]

    /// Largest delay in seconds with which a time still counts as passed; a longer jump of the clock skips it.
    static let grace = 60.0

    /// Checks the clock.
    /// - Returns: the places whose time has passed since the last call.
    mutating func look(_ now: WallTime, _ times: [(place: Int, time: TimeOfDay)]) -> [Int] {
        defer { last = now }
        guard let last else { return [] }
        return times.filter { place, time in
            let second = Double(time.second)
            let days = second <= now.second ? [now.day] : last.day == now.day ? [] : [last.day]
            guard let day = days.first, passed[place] != day else { return false }
            let isAfterLast = day > last.day || day == last.day && second > last.second
            let age = now.second - second + (day == now.day ? 0 : 86_400)
            guard isAfterLast, age <= Self.grace else { return false }
            passed[place] = day
            return true
        }.map(\.place)
    }

    /// Makes a place's time count again on the same day, because it was changed.
    mutating func forget(_ place: Int) { passed[place] = nil }
}
