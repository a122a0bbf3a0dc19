import Glibc
import Hub
import Parameters
import RenderInterface
import Synchronization
import Testing

/// The log: what is written of a text, how many lines a source may write, and what happens when nobody reads.
@Suite struct LogTests {
    @Test(arguments: [
        ("plain text, é 雨", "plain text, é 雨"), ("a\nb\rc\td", "a\\nb\\rc\\td"), ("\u{1B}[2J\u{7F}", "\\x1B[2J\\x7F"),
        ("\u{9B}31m", "\\x9B31m"), ("\u{202E}exe.", "\\u{202E}exe."), ("", ""),
        ("a\u{AD}\u{180E}b", "a\\u{00AD}\\u{180E}b"), ("\u{E0041}", "\\u{E0041}"), ("a\u{A0}b", "a\u{A0}b"),
    ])
    func controlCharactersAreEscaped(_ text: String, _ line: String) {
        #expect(LogText.line(text) == line && LogText.escaped(text) == line)
    }

    @Test func namesAreEscapedInWhole() {
        #expect(LogText.escaped(String(repeating: "\n", count: 2000)) == String(repeating: "\\n", count: 2000))
    }

    @Test func longTextsAreShortened() {
        let exact = String(repeating: "x", count: LogText.longest)
        #expect(LogText.line(exact) == exact)
        #expect(LogText.line(exact + "x") == exact + "… (1001 bytes)")
        // An escape counts as it is written, and no character is cut.
        #expect(LogText.line(String(repeating: "\n", count: 2000)).hasPrefix(String(repeating: "\\n", count: 500) + "… ("))
        #expect(LogText.line(String(repeating: "雨", count: 2000)) == String(repeating: "雨", count: 333) + "… (6000 bytes)")
    }

    @Test func eachSourceHasItsOwnLimit() throws {
        var limiter = LogLimiter()
        let one = LogSource(.notice, client: NetworkAddress(bytes: .init(repeating: 1), port: 5))
        let same = LogSource(.notice, client: NetworkAddress(bytes: .init(repeating: 1), port: 6))
        func admits(_ source: LogSource, _ now: UInt64 = 1) -> Bool { limiter.admits(source, now: now) }
        for _ in 0..<LogLimiter.most {
            let isAdmitted = admits(one, 0)
            #expect(isAdmitted)
        }
        let answers = [
            admits(same), admits(LogSource(.unknown, client: one.client)),
            admits(LogSource(.notice, client: NetworkAddress(bytes: .init(repeating: 2)))), admits(LogSource(.notice)),
        ]
        #expect(answers == [false, true, true, true])
        #expect(limiter.leftOut == 1)
        let early = limiter.endPeriods(now: LogLimiter.period - 1)
        #expect(early.isEmpty)
        let lines = limiter.endPeriods(now: LogLimiter.period + 1)
        #expect(lines.count == 1)
        #expect(try #require(lines.first).hasPrefix("… 1 similar line was left out (notices, from 101:101:101:101:0"))
        let isAdmittedAgain = admits(one, LogLimiter.period + 2)
        #expect(isAdmittedAgain)
    }

    @Test func anyNumberOfSourcesIsLimited() {
        var limiter = LogLimiter()
        let admitted = (0..<100_000).count { number in
            var bytes = SIMD16<UInt8>(repeating: 0)
            for i in 0..<4 { bytes[i] = UInt8(truncatingIfNeeded: number >> (8 * i)) }
            return limiter.admits(LogSource(.notice, client: NetworkAddress(bytes: bytes)), now: 0)
        }
        #expect(admitted < 300)
        #expect(limiter.leftOut == 100_000 - admitted)
    }

    /// Lines of a client's messages carry the client and the kind.
    @Test func linesKnowTheirSource() {
        let hub = Hub(store: ParameterStore(ParameterTree(listeners: 1, methods: ["nearest"]))) { _, _ in false }
        var sources: [LogSource] = []
        hub.onLog = { sources.append($1) }
        let client = NetworkAddress(bytes: .init(repeating: 9), port: 7)
        let subscriber = hub.subscribe {}
        subscriber.address = client
        hub.handle(Message(address: "/nowhere", arguments: [.int(1)], receiveTime: 0), from: subscriber)
        hub.handle(Message(address: "/listener/1/gain", arguments: [.float(1000)], receiveTime: 0, sender: client))
        // A message that a handler sends in turn is the program's own.
        let program = NetworkAddress(bytes: SIMD16(1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1))
        hub.onSet(hub.tree.index(ListenerParameter.mute)) { [unowned hub] _, context in
            hub.handle(Message(address: "/listener/1/gain", arguments: [.float(2000)], receiveTime: 0, sender: program))
            hub.notice("about it", from: context.client)
        }
        hub.handle(Message(address: "/listener/1/mute", arguments: [.bool(true)], receiveTime: 0, sender: client))
        hub.handle(Message(address: "/listener/1/gain", arguments: [.string("x")], receiveTime: 0, sender: client))
        hub.countMalformed("bytes", from: client)
        hub.notice("own")
        #expect(
            sources == [
                LogSource(.unknown, client: client), LogSource(.clamped, client: client), LogSource(.clamped),
                LogSource(.notice, client: client), LogSource(.notice, client: client), LogSource(.malformed, client: client),
                LogSource(.notice),
            ])
    }

    /// A pipe that nobody reads takes no line from whoever writes, and the missing ones are counted.
    @Test func aStalledReaderIsNotWaitedFor() throws {
        var ends: [Int32] = [0, 0]
        try #require(pipe(&ends) == 0)
        defer { close(ends[0]) }
        let writer = try LogWriter(descriptor: ends[1]) { _, text in text }
        // More than the pipe and the queue can hold.
        let line = String(repeating: "x", count: 999)
        for _ in 0..<2000 { writer.write(line) }
        #expect(writer.leftOut > 0)
        #expect(writer.leftOut < 2000 - LogWriter.capacity + 1)
        let missing = writer.leftOut
        var text = [UInt8]()
        var piece = [UInt8](repeating: 0, count: 65_536)
        var lines: [Substring] { String(decoding: text, as: UTF8.self).split(separator: "\n") }
        var told: Int {
            lines.filter { $0.hasSuffix(" left out because the log was not read") }
                .compactMap { Int($0.dropFirst(2).prefix { $0.isNumber }) }.reduce(0, +)
        }
        while told < missing || lines.count(where: { $0 == line }) < 2000 - missing {
            // The test fails rather than waits for ever.
            var readable = pollfd(fd: ends[0], events: Int16(POLLIN), revents: 0)
            try #require(poll(&readable, 1, 60_000) == 1)
            let count = read(ends[0], &piece, piece.count)
            try #require(count > 0)
            text += piece[..<count]
        }
        #expect(told == missing)
        #expect(lines.count { $0 == line } == 2000 - missing)
        writer.write("after")
        writer.close()
        #expect(read(ends[0], &piece, piece.count) == 6)
        close(ends[1])
    }

    @Test func closingWithoutAReaderGivesUp() throws {
        var ends: [Int32] = [0, 0]
        try #require(pipe(&ends) == 0)
        signal(SIGPIPE, SIG_IGN)
        let writer = try LogWriter(descriptor: ends[1]) { _, text in text }
        for _ in 0..<1000 { writer.write(String(repeating: "x", count: 999)) }
        writer.close()
        // The thread ends now that its lines are read.
        close(ends[0])
    }
}
