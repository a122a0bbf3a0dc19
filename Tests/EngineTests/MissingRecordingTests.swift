import Testing

@testable import Engine

@Suite struct MissingRecordingTests {
    private static let second: UInt64 = 1_000_000_000

    /// Attempts in seconds, of a recording that is looked for thirty times a second.
    private func attempts(until end: UInt64, listedFrom: UInt64 = .max) -> [Double] {
        var missing = MissingRecording("evening.wav", now: 100 * Self.second)
        return stride(from: 0, to: end * 30, by: 1).compactMap { tick in
            let now = 100 * Self.second + tick * Self.second / 30
            return missing.isDue(now: now, isListed: tick / 30 >= listedFrom) ? Double(tick) / 30 : nil
        }
    }

    @Test func attemptsBecomeRarer() {
        let found = attempts(until: 3600)
        let waits = zip(found, found.dropFirst()).map { ($1 - $0).rounded() }
        #expect(abs(found[0] - 0.43) < 0.05)
        #expect(waits.prefix(7) == [5, 10, 20, 40, 80, 160, 300])
        #expect(waits.dropFirst(6).allSatisfy { $0 == 300 } && found.count < 20)
    }

    @Test func aNameThatAppearsIsTriedAtOnce() {
        let found = attempts(until: 120, listedFrom: 60)
        #expect(found.contains(60), "\(found)")
        #expect(found.filter { $0 > 60 && $0 < 75 }.count <= 1)
    }
}
