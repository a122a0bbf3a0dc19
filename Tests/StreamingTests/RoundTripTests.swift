import Streaming
import Testing

@Suite struct RoundTripTests {
    @Test func durationAndOffsetFollowFromFourTimes() throws {
        // The other clock is 5000 ahead; 3 there, 2 spent, 4 back.
        let trip = try #require(RoundTrip(sent: 100, received: 5103, answered: 5105, returned: 109))
        #expect(trip.duration == 7)
        #expect(trip.offset == 4999.5)
    }

    @Test func impossibleTimesAreNoRoundTrip() {
        #expect(RoundTrip(sent: 0, received: 2, answered: 1, returned: 3) == nil)
        #expect(RoundTrip(sent: 3, received: 0, answered: 0, returned: 2) == nil)
        #expect(RoundTrip(sent: 0, received: 0, answered: 100, returned: 10) == nil)
        #expect(RoundTrip(sent: .nan, received: 0, answered: 1, returned: 2) == nil)
        #expect(RoundTrip(sent: 0, received: 0, answered: 1, returned: .infinity) == nil)
    }

    @Test func theMedianOfABurstIgnoresSingleSlowTrips() throws {
        var burst = RoundTripBurst()
        burst.begin()
        let delays: [Double] = [4, 4, 4, 300, 4, 5, 4, 4, 800, 4, 4, 3, 4, 4, 4]
        for delay in delays {
            let id = burst.ask(at: 1000)
            let isTaken = burst.answer(id, received: 7000 + delay / 2, answered: 7000 + delay / 2, returned: 1000 + delay)
            #expect(isTaken)
        }
        #expect(burst.isAsked && burst.isComplete)
        let reading = try #require(burst.reading)
        #expect(reading.duration == 4)
        #expect(reading.offset == 6000)
    }

    @Test func theClockIsThatOfTheShortestRecentTrip() {
        var clock = ClockOffset()
        #expect(clock.value == nil)
        clock.add(.init(duration: 9, offset: 5000, shortest: 2))
        clock.add(.init(duration: 3, offset: 5004, shortest: 3))
        #expect(clock.value == 5000)
        for _ in 0..<ClockOffset.count { clock.add(.init(duration: 20, offset: 5007, shortest: 15)) }
        #expect(clock.value == 5007)
    }

    @Test func answersThatAreRepeatedUnknownOrOldDoNotCount() {
        var burst = RoundTripBurst()
        burst.begin()
        let first = burst.ask(at: 0)
        var taken = burst.answer(first, received: 1, answered: 1, returned: 2)
        #expect(taken)
        taken = burst.answer(first, received: 1, answered: 1, returned: 2)
        #expect(!taken)
        taken = burst.answer(99, received: 1, answered: 1, returned: 2)
        #expect(!taken)
        let old = burst.ask(at: 5)
        burst.begin()
        taken = burst.answer(old, received: 1, answered: 1, returned: 7)
        #expect(!taken)
        #expect(burst.reading == nil)
    }

    @Test func aTendencyIsTheSlopeOfTheLastTen() {
        var tendency = Tendency()
        for _ in 0..<5 { tendency.add(500) }
        for step in 0..<10 { tendency.add(20 + 3 * Double(step)) }
        #expect(abs(tendency.slope - 3) < 1e-9)
        #expect(tendency.floor == 20 && tendency.latest == 47)
        #expect(!tendency.isRising(beyond: 40))
        tendency.add(120)
        #expect(tendency.isRising(beyond: 40))
    }
}
