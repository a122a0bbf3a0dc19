import Engine

/// A wall clock that a test sets.
final class SetClock {
    var time = WallTime(day: 1, second: 0)
}
