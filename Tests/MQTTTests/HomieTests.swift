import Foundation
import Hub
import Parameters
import RenderInterface
import Testing

@testable import MQTT

/// The engine as a device of Homie 5.
@Suite struct HomieTests {
    private let tree = ParameterTree(listeners: 2, methods: ["nearest", "linear"])
    private let prefix = "homie/5/hall"

    private func device() -> HomieDevice {
        HomieDevice(Hub(store: ParameterStore(tree)) { _, _ in false }, name: "Hall", prefix: prefix)
    }

    private func object(_ value: Any?, _ key: String) throws -> [String: Any] {
        try #require((value as? [String: Any])?[key] as? [String: Any])
    }

    @Test func theDescriptionFollowsTheConvention() throws {
        let device = device()
        let root = try JSONSerialization.jsonObject(with: Data(device.description(version: 7))) as? [String: Any]
        #expect(root?["homie"] as? String == "5.0" && root?["name"] as? String == "Hall" && root?["version"] as? Int == 7)
        let nodes = try object(root, "nodes")
        var (values, commands): (Set<String>, Set<String>) = ([], [])
        for (node, content) in nodes {
            for (name, attributes) in try object(content, "properties") {
                let attributes = try #require(attributes as? [String: Any])
                let (type, format) = (attributes["datatype"] as? String ?? "", attributes["format"] as? String)
                #expect(["boolean", "integer", "float", "enum", "string"].contains(type) && (type == "enum") <= (format != nil))
                let isIdentifier = (node + name).allSatisfy { $0.isASCII && ($0.isLowercase || $0.isNumber || $0 == "-") }
                #expect(isIdentifier, "\(node) \(name)")
                if attributes["retained"] as? Bool == true { values.insert("\(prefix)/\(node)/\(name)") }
                if attributes["settable"] as? Bool == true { commands.insert("\(prefix)/\(node)/\(name)/set") }
            }
        }
        #expect(Set(device.retained.map(\.topic)) == values && Set(device.commands.keys) == commands)
        #expect(commands.contains("\(prefix)/listener-2/gain/set") && !values.contains("\(prefix)/transport/play"))
        #expect(nodes["listener-3"] == nil)
        let gain = try object(object(object(nodes, "listener-1"), "properties"), "gain")
        #expect(gain["datatype"] as? String == "float" && gain["format"] as? String == "-60:12" && gain["unit"] as? String == "dB")
        #expect(self.device().nodes == device.nodes)
    }

    @Test func valuesAreText() throws {
        #expect(HomieValue.payload(.toggle("", ""), .number(1)) == Array("true".utf8))
        #expect(HomieValue.payload(.decibels("", -60...12, ""), .number(-3)) == Array("-3".utf8))
        #expect(HomieValue.payload(.choice("", ["one", "two"], ""), .number(1)) == Array("two".utf8))
        #expect(HomieValue.payload(.text("", ""), .text("")) == [0])
    }

    @Test func commandsAreRead() throws {
        #expect(try HomieValue.arguments(.toggle("", ""), "false") == [.bool(false)])
        #expect(try HomieValue.arguments(.decibels("", -60...12, ""), "-3.5") == [.double(-3.5)])
        #expect(try HomieValue.arguments(.integer("", 0...9, ""), "7") == [.int(7)])
        #expect(try HomieValue.arguments(.text("", ""), "\0") == [.string("")])
        for (spec, text) in [
            (ParameterSpec.toggle("", ""), "1"), (.decibels("", -60...12, ""), "nan"), (.decibels("", -60...12, ""), "loud"),
            (.integer("", 0...9, ""), "7.5"),
        ] { #expect(throws: MQTTValue.Refusal.self, "\(text)") { try HomieValue.arguments(spec, text) } }
    }

    @Test func identifiersHaveSmallLetters() throws {
        #expect(try MQTTTopics(engine: "Hall_2.North").homie == "homie/5/hall-2-north")
    }
}

extension Bool {
    /// Implication.
    fileprivate static func <= (left: Bool, right: Bool) -> Bool { !left || right }
}
