import CRealtime
import Glibc

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
