/// Topics of one engine, and their relation to addresses of the namespace.
public struct MQTTTopics: Sendable, Equatable {
    /// First part of every topic of this program.
    static let root = "vestibule/"
    /// Name of the engine.
    public let engine: String
    /// The engine's device in Homie's namespace, whose identifiers have small letters, digits and hyphens only.
    let homie: String
    private let prefix: String
    private let statePrefix: String
    private let commandPrefix: String

    /// - Throws: ``MQTTSettingsError`` for a name that cannot be a part of a topic.
    public init(engine: String) throws(MQTTSettingsError) {
        let isPart = engine.utf8.allSatisfy { $0 > 0x20 && $0 != 0x7F && !"/+#$".utf8.contains($0) }
        guard !engine.isEmpty, engine.utf8.count <= 64, isPart else {
            throw MQTTSettingsError("an engine's name has 1 to 64 bytes and neither spaces nor any of / + # $")
        }
        self.engine = engine
        let identifier = engine.utf8.map { byte -> UInt8 in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): byte
            case UInt8(ascii: "A")...UInt8(ascii: "Z"): byte | 0x20
            default: UInt8(ascii: "-")
            }
        }
        homie = "homie/5/" + String(decoding: identifier, as: UTF8.self)
        prefix = Self.root + engine + "/"
        statePrefix = prefix + "state"
        commandPrefix = prefix + "set"
    }

    /// Retained; `true` or `false`.
    var online: String { prefix + "online" }
    var levels: String { prefix + "telemetry/levels" }
    var latency: String { prefix + "telemetry/latency" }
    /// The place in the recording that is heard, for engines that follow.
    var transport: String { prefix + "telemetry/transport" }
    /// Retained: racks and scenes, for engines that follow.
    var session: String { prefix + "session" }
    /// Questions about this engine's clock.
    var clock: String { prefix + "clock" }
    /// Answers of the engines that this one asks for their clocks.
    var clockAnswers: String { "answers/" + engine + "/clock" }
    var changes: String { prefix + "telemetry/changes" }
    /// All commands, for a subscription.
    var commands: String { commandPrefix + "/#" }
    /// All states, for a subscription.
    var states: String { statePrefix + "/#" }

    func state(_ address: String) -> String { statePrefix + address }

    /// The address of a topic below `set`; nil for other topics.
    func address(ofCommand topic: String) -> String? { Self.rest(of: topic, after: commandPrefix) }

    /// The address of a topic below `state`; nil for other topics.
    func address(ofState topic: String) -> String? { Self.rest(of: topic, after: statePrefix) }

    private static func rest(of topic: String, after prefix: String) -> String? {
        let (topic, prefix) = (topic.utf8, prefix.utf8)
        guard topic.starts(with: prefix) else { return nil }
        let rest = topic.dropFirst(prefix.count)
        return rest.first == UInt8(ascii: "/") && rest.count > 1 ? String(Substring(rest)) : nil
    }

    /// Reason why answers are not sent to a topic; nil when they are.
    ///
    /// The broker lets this engine write where the client that asks may not: an answer must not become a command to another engine.
    static func refusal(ofResponseTopic topic: String) -> String? {
        if topic.isEmpty || topic.utf8.count > 1024 || topic.utf8.contains(where: { "+#\0".utf8.contains($0) }) {
            return "the response topic is not a topic"
        }
        let isReserved = [root, "homie/", "$"].contains { topic.hasPrefix($0) }
        return isReserved ? "answers are not sent to topics below \(root), homie/ or $" : nil
    }
}
