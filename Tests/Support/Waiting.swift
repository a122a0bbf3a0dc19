internal import Foundation
public import Testing

// Waiting in tests: for a condition with a deadline. No test sleeps otherwise (`make test-rules`).

/// Waits until a condition holds, and records an issue that says what was waited for when it does not within a number of seconds.
///
/// - Parameters:
///   - seconds: generous, since only a failing test spends them.
///   - interval: milliseconds between two evaluations.
/// - Returns: whether the condition holds.
@discardableResult
public func waitUntil(
    _ what: @autoclosure () -> String, seconds: Double = 60, every interval: Double = 1, sourceLocation: SourceLocation = #_sourceLocation,
    _ condition: () throws -> Bool
) rethrows -> Bool {
    let end = ContinuousClock.now + .seconds(seconds)
    while try !condition() {
        guard ContinuousClock.now < end else {
            Issue.record("not within \(seconds) s: \(what())", sourceLocation: sourceLocation)
            return false
        }
        stimulus(milliseconds: interval)
    }
    return true
}

/// Checks that a condition holds during a few milliseconds, which are always spent: for something that must not happen.
public func holds(
    _ what: @autoclosure () -> String, milliseconds: Double = 50, sourceLocation: SourceLocation = #_sourceLocation,
    _ condition: () -> Bool
) {
    let end = ContinuousClock.now + .milliseconds(milliseconds)
    repeat {
        guard condition() else {
            Issue.record("does not hold: \(what())", sourceLocation: sourceLocation)
            return
        }
        stimulus(milliseconds: 5)
    } while ContinuousClock.now < end
}

/// Spends time that is part of the test itself, such as the interval between two messages. To wait for a result use `waitUntil`.
public func stimulus(milliseconds: Double) { Thread.sleep(forTimeInterval: milliseconds / 1000) }
