/// Limit on the lines of each source, so that no client fills the log.
public struct LogLimiter {
    /// Length of the period that lines are counted over, in nanoseconds.
    public static let period: UInt64 = 5_000_000_000
    /// Lines of one source in a period.
    public static let most = 20
    /// Lines of the program itself in a period.
    public static let mostOwn = 200
    /// Sources with a limit of their own; further ones share one.
    private static let mostSources = 256
    private static let others = LogSource(.notice, client: .nowhere)

    private struct Count {
        let begin: UInt64
        var admitted = 0
        var leftOut = 0
    }

    private var counts: [LogSource: Count] = [:]
    /// Lines that were left out since the start.
    public private(set) var leftOut = 0

    public init() {}

    /// Whether another line of a source is to be written.
    /// - Parameter now: CLOCK_MONOTONIC nanoseconds.
    public mutating func admits(_ source: LogSource, now: UInt64) -> Bool {
        let key = counts[source] != nil || counts.count < Self.mostSources ? source : Self.others
        var count = counts[key] ?? Count(begin: now)
        defer { counts[key] = count }
        guard count.admitted < (key.client == nil ? Self.mostOwn : Self.most) else {
            count.leftOut += 1
            leftOut += 1
            return false
        }
        count.admitted += 1
        return true
    }

    /// Ends the periods that are over.
    /// - Returns: a line for each source of which lines were left out.
    public mutating func endPeriods(now: UInt64) -> [String] {
        guard counts.values.contains(where: { now - $0.begin >= Self.period }) else { return [] }
        var lines: [String] = []
        counts = counts.filter { source, count in
            guard now - count.begin >= Self.period else { return true }
            if count.leftOut > 0 { lines.append(Self.summary(source, count.leftOut)) }
            return false
        }
        return lines
    }

    private static func summary(_ source: LogSource, _ count: Int) -> String {
        let sender = source.client.map { $0 == .nowhere ? ", from several addresses" : ", from \($0.host)" } ?? ""
        return "… \(counted(count, "similar line was", plural: "similar lines were")) left out (\(source.kind.rawValue)\(sender))"
    }
}

/// Cause of a log line: lines of the same cause share a limit.
public struct LogSource: Hashable, Sendable {
    /// Kind of line; raw values are words for the log.
    public enum Kind: String, Sendable {
        case notice = "notices"
        case clamped = "values out of range"
        case unknown = "unknown addresses"
        case malformed = "malformed packets"
    }

    /// Sender of the message that the line is about; nil for the program itself.
    public let client: NetworkAddress?
    public let kind: Kind

    /// - Parameter client: its port is ignored, and so are the last 64 bits of a public IPv6 address, which hosts choose freely.
    public init(_ kind: Kind, client: NetworkAddress? = nil) {
        self.kind = kind
        guard var client else {
            self.client = nil
            return
        }
        client.port = 0
        if !client.isIPv4, !client.isLoopback { for i in 8..<16 { client.bytes[i] = 0 } }
        self.client = client
    }
}
