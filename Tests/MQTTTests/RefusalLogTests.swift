import Testing

@testable import MQTT

/// Complaints that are logged once.
@Suite struct RefusalLogTests {
    private static let hour: UInt64 = 3_600_000_000_000

    @Test func eachSubjectIsLoggedOnceAnHour() {
        var log = RefusalLog()
        #expect(log.admits("a", now: 5) && !log.admits("a", now: 6) && log.admits("b", now: 7))
        #expect(!log.admits("a", now: 4 + Self.hour) && log.admits("a", now: 5 + Self.hour))
    }

    @Test func subjectsAreBoundedAndForgotten() {
        var log = RefusalLog()
        let admitted = (0..<1000).filter { log.admits("\($0)", now: UInt64($0)) }
        #expect(admitted.count == 64)
        #expect(log.admits("new", now: Self.hour + 10) && !log.admits("50", now: Self.hour + 10))
    }
}
