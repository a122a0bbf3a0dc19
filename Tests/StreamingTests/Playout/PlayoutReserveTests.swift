import Testing

@testable import Streaming

@Suite struct PlayoutReserveTests {
    @Test func theFirstPacketAndLateOnesAreFilledUp() {
        var reserve = PlayoutReserve(floor: 5, block: 2)
        #expect(reserve.take(waiting: 0, now: 0) == .fill(15) && reserve.target == 15)
        #expect(reserve.take(waiting: 15, now: 20) == .play)
        #expect(reserve.take(waiting: 3, now: 52) == .fill(18))
        #expect(reserve.target == 21 && reserve.late == 1)
    }

    @Test func aPauseIsNotLateAndAnotherBeginning() {
        var reserve = PlayoutReserve(floor: 5, block: 2)
        _ = reserve.take(waiting: 0, now: 0)
        #expect(reserve.take(waiting: 0, now: 40) == .fill(21) && reserve.late == 1)
        #expect(reserve.take(waiting: 0, now: 3000) == .fill(15) && reserve.late == 1)
    }

    @Test func tooMuchIsLeftOutUntilLittleIsTooMuch() {
        var reserve = PlayoutReserve(floor: 5, block: 2)
        _ = reserve.take(waiting: 0, now: 0)
        #expect(reserve.take(waiting: 70, now: 20) == .play)
        #expect(reserve.take(waiting: 80, now: 20) == .leaveOut)
        #expect(reserve.take(waiting: 60, now: 40) == .leaveOut)
        #expect(reserve.take(waiting: 34, now: 60) == .play)
    }

    /// A burst that was played in full stays in the way of all later sound.
    @Test func aDelayThatStaysIsShortened() {
        var reserve = PlayoutReserve(floor: 5, block: 2)
        _ = reserve.take(waiting: 0, now: 0)
        let steps = (1...100).map { reserve.take(waiting: 60, now: 20 * Double($0)) }
        let first = steps.firstIndex { $0 != .play }
        #expect(first.map { (9..<13).contains($0) } == true && steps.dropFirst(12).first == .shorten(isUrgent: false), "\(steps)")
        #expect(steps.last == .shorten(isUrgent: true))
        reserve.shortened(2000)
        #expect(reserve.take(waiting: 34, now: 2020) == .play)
        // Packets that come in lumps leave enough only at times.
        var lumps = PlayoutReserve(floor: 5, block: 2)
        _ = lumps.take(waiting: 0, now: 0)
        #expect((1...200).allSatisfy { lumps.take(waiting: $0 % 3 == 0 ? 15 : 60, now: 20 * Double($0)) == .play })
    }

    @Test func theReserveShrinksWhenNothingIsLate() {
        var reserve = PlayoutReserve(floor: 5, block: 2)
        _ = reserve.take(waiting: 0, now: 0)
        for packet in 1...20 { _ = reserve.take(waiting: 0, now: 20 * Double(packet)) }
        #expect(reserve.reserve == 120)
        for packet in 21...8000 { _ = reserve.take(waiting: reserve.target, now: 20 * Double(packet)) }
        #expect(reserve.reserve == 8)
    }

    @Test func soundBeyondRealTimeIsNotTaken() {
        var budget = SoundBudget()
        let atOnce = (0..<100).count { _ in budget.take(20, now: 0) }
        #expect(atOnce == 25)
        let isMore = budget.take(20, now: 10)
        #expect(!isMore)
        // One gap of three packets, and none afterwards, although packets do not come evenly.
        let later = (0..<200).map { budget.take(20, now: 30 + 20 * Double($0) + 3 * Double($0 % 2)) }
        #expect(later.firstIndex(of: true).map { $0 <= 3 } == true && later.drop { !$0 }.allSatisfy { $0 }, "\(later.prefix(20))")
        // In real time, and with a clock that is a little fast.
        var steady = SoundBudget()
        let played = (0..<5000).count { steady.take(20, now: 19.5 * Double($0)) }
        #expect(played == 5000)
    }
}
