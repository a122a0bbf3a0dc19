import Testing

@testable import Engine

/// A renderer whose load is set, second by second, from the counts that it reports.
struct OverloadWatchTests {
    private static let rate = 48_000.0
    private var watch = OverloadWatch()
    private var time: UInt64 = 5_000_000_000
    private var (busy, samples) = (Int64(0), Int64(0))

    init() { #expect(watch.note(busy: busy, samples: samples, rate: Self.rate, now: time) == nil) }

    /// Advances by seconds in which rendering takes `load` times as long as its sound; an overloaded renderer renders less of it.
    private mutating func run(_ load: Double, seconds: Int) -> [String] {
        (0..<seconds * 30).compactMap { _ in
            time += 33_400_000
            let sound = 0.0334 / max(1, load)
            samples += Int64(sound * Self.rate)
            busy += Int64(sound * load * 1e9)
            return watch.note(busy: busy, samples: samples, rate: Self.rate, now: time)
        }
    }

    @Test mutating func anOverloadIsReportedOnceAndItsEnd() {
        #expect(run(0.7, seconds: 10).isEmpty && !watch.isOverloaded)
        let notices = run(8.6, seconds: 10)
        #expect(notices.count == 1 && watch.isOverloaded)
        #expect(notices[0].hasPrefix("rendering takes 8.6 times as long as the sound lasts"))
        // Neither the one nor the other.
        #expect(run(0.95, seconds: 5).isEmpty && watch.isOverloaded)
        let ends = run(0.5, seconds: 5)
        #expect(ends == ["rendering is fast enough again: it takes 50 % of the time that the sound lasts"] && !watch.isOverloaded)
    }

    @Test mutating func shortOverloadsAreNone() {
        for _ in 0..<5 { #expect(run(3, seconds: 2).isEmpty && run(0.5, seconds: 2).isEmpty && !watch.isOverloaded) }
    }

    @Test mutating func overloadsThatComeAndGoAreReportedOnceAMinute() {
        var begins = 0
        for _ in 0..<20 {
            begins += run(2, seconds: 5).count { $0.hasPrefix("rendering takes") }
            _ = run(0.5, seconds: 3)
        }
        #expect((2...3).contains(begins))
    }

    @Test mutating func aRendererThatStandsStillHasNoLoad() {
        time += 60_000_000_000
        #expect(watch.note(busy: busy, samples: samples, rate: Self.rate, now: time) == nil && !watch.isOverloaded)
    }
}
