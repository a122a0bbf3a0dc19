import Testing

@testable import Streaming

@Suite struct BackOffTests {
    @Test func pausesGrowFromLessThanASecondToAMinute() {
        for jitter in [-1.0, 0, 1] {
            var pause = BackOff()
            let pauses = (0..<60).map { _ in pause.next(jitter: jitter) }
            #expect(pauses.allSatisfy(BackOff.range.contains) && pauses[59] >= 40)
            pause.note(connectedFor: BackOff.steady)
            #expect(pause.next(jitter: jitter) <= 1)
            // Two engines of one name do not disturb each other quickly for long.
            pause.noteReplaced()
            #expect((0..<12).map { _ in pause.next(jitter: jitter) }.max()! >= 40)
            // A server that comes back after ten seconds is found within one.
            let times = pauses.reduce(into: [0.0]) { $0.append($0.last! + $1) }
            #expect(zip(times, pauses).allSatisfy { time, pause in time > 11 || pause <= 1 })
            #expect(times.last! > 600)
            pause.note(connectedFor: 1)
            #expect(pause.next(jitter: 0) == 60)
            pause.note(connectedFor: 60)
            #expect(pause.next(jitter: 0) == 0.75)
        }
    }
}
