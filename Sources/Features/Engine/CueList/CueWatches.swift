import CRealtime
import Glibc

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

/// A moment on the wall clock of the engine's computer.
package struct WallTime: Equatable, Sendable {
    /// Number of the day, counted from an arbitrary day.
    package var day: Int
    /// Seconds since midnight.
    package var second: Double

    package init(day: Int, second: Double) {
        self.day = day
        self.second = second
    }

    /// The present moment in the computer's time zone.
    package static var now: WallTime {
        var (time, parts) = (timespec(), tm())
        clock_gettime(CLOCK_REALTIME, &time)
        localtime_r(&time.tv_sec, &parts)
        let second = 3600 * Int(parts.tm_hour) + 60 * Int(parts.tm_min) + Int(parts.tm_sec)
        // Numbers of days only have to be distinct and ascending.
        return WallTime(day: 366 * Int(parts.tm_year) + Int(parts.tm_yday), second: Double(second) + Double(time.tv_nsec) / 1e9)
    }
}

/// Determines which parts of the recording have been played.
struct PositionWatch {
    /// A part of the recording that was played: seconds, the first excluded and the second included.
    typealias Part = (after: Double, through: Double)

    /// Seconds, less than a frame, by which a part begins before the target of a jump or a loop, so that the part includes the target. The
    /// smallest positive number would not do: threads that render sound treat it as zero.
    private static let margin = 1e-6

    private var last: (feed: Int64, position: Double)?

    /// Checks the position.
    ///
    /// - Parameters:
    ///   - feed: number of the feed, which changes with every jump.
    ///   - start: position in seconds at which the feed began.
    ///   - duration: seconds of the recording, which is played again from its start when it loops.
    /// - Returns: the parts played since the last call.
    mutating func look(feed: Int64, start: Double, position: Double, duration: Double) -> [Part] {
        let first = last.flatMap { $0.feed == feed ? $0.position : nil }
        last = (feed, position)
        // A jump exactly to the position of a cue counts as passing it.
        let after = first ?? start - Self.margin
        return after <= position ? [(after, position)] : [(after, duration), (-Self.margin, position)]
    }
}
