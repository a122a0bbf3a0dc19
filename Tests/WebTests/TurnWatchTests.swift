import CRealtime
import Glibc
import TestSupport
import Testing

@testable import Web

struct TurnWatchTests {
    private let second: UInt64 = 1_000_000_000

    @Test func theLongestTurnIsForgottenAfterTenSeconds() {
        let watch = TurnWatch()
        watch.note(7_000_000, now: 100 * second)
        watch.note(3_000_000, now: 105 * second)
        #expect(watch.recent(now: 105 * second) == 7_000_000)
        #expect(watch.recent(now: 109 * second) == 7_000_000)
        #expect(watch.recent(now: 110 * second) == 3_000_000)
        #expect(watch.recent(now: 115 * second) == 0)
        #expect(watch.longest == 7_000_000)
        // The place of second 105 is used again.
        watch.note(1_000_000, now: 115 * second)
        #expect(watch.recent(now: 115 * second) == 1_000_000)
    }

    /// The turns of a start do not count, and neither does the one that ends it.
    @Test func turnsOfTheStartAreForgotten() {
        let watch = TurnWatch()
        watch.note(7_000_000, now: 100 * second)
        watch.beginTurn()
        stimulus(milliseconds: 2)
        watch.forget()
        watch.endTurn()
        #expect(watch.longest == 0 && watch.computed == 0 && watch.recent(now: 100 * second) == 0)
        watch.note(1_000_000, now: 101 * second)
        #expect(watch.longest == 1_000_000 && watch.recent(now: 101 * second) == 1_000_000)
    }

    /// Both computing and waiting count.
    @Test func aTurnCountsWhatTheThreadComputesAndWaits() {
        let watch = TurnWatch()
        watch.beginTurn()
        let begin = Self.time(CLOCK_THREAD_CPUTIME_ID)
        while Self.time(CLOCK_THREAD_CPUTIME_ID) - begin < 5_000_000 {}
        stimulus(milliseconds: 20)
        let own = Self.time(CLOCK_THREAD_CPUTIME_ID) - begin
        watch.endTurn()
        // The account of delays is at most a millisecond older than the turn.
        #expect(watch.longest + 1_000_000 >= own + 20_000_000)
    }

    /// Time in which others run does not count: more threads compute than there are processors.
    @Test func aTurnDoesNotCountWhatOthersCompute() {
        let measured = Crowd.turn()
        #expect(measured.turn + 1_000_000 >= Crowd.computed, "\(measured)")
        #expect(measured.turn + measured.delayed <= measured.wall, "\(measured)")
    }

    static func time(_ clock: clockid_t) -> UInt64 {
        var now = timespec()
        clock_gettime(clock, &now)
        return UInt64(now.tv_sec) * 1_000_000_000 + UInt64(now.tv_nsec)
    }
}
