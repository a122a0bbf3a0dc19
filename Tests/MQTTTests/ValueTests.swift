import DSP
import Numbers
import Parameters
import TestSupport
import Testing

@testable import MQTT

/// Values as JSON, and bad input.
@Suite struct ValueTests {
    private func json(_ spec: ParameterSpec, _ value: ParameterValue) -> String {
        String(decoding: MQTTValue.json(spec, value), as: UTF8.self)
    }

    @Test func valuesAreJSON() {
        #expect(json(.decibels("", -60...12, ""), .number(-3.5)) == "-3.5")
        #expect(json(.decibels("", -60...12, ""), .number(-3)) == "-3")
        #expect(json(.toggle("", ""), .number(1)) == "true")
        #expect(json(.integer("", 0...9, ""), .number(7)) == "7")
        #expect(json(.choice("", ["one", "two"], ""), .number(1)) == #""two""#)
        #expect(json(.text("", ""), .text("a \"b\" \\ \n\u{1} ü")) == #""a \"b\" \\ \u000a\u0001 ü""#)
        #expect(json(.vector("", ["x", "y"], 0...1, initial: [0, 0], unit: .none, ""), .vector([0.25, 1])) == "[0.25,1]")
        #expect(json(.list("", 0...1, unit: .none, ""), .number(0.5)) == "[0.5]")
        #expect(json(.list("", 0...1, unit: .none, ""), .vector([])) == "[]")
        #expect(json(.gauge("", 0...1, ""), .number(.nan)) == "null")
    }

    @Test func payloadsAreRead() throws {
        func read(_ text: String) throws -> [Argument] { try MQTTValue.arguments(Array(text.utf8)).get() }
        #expect(try read("") == [] && read("null") == [] && read("[]") == [])
        #expect(try read("-6") == [.int(-6)] && read(" -6.5 ") == [.double(-6.5)] && read("5000000000") == [.double(5e9)])
        #expect(try read("true") == [.bool(true)] && read("[1,true]") == [.int(1), .bool(true)])
        #expect(try read(#""nearest""#) == [.string("nearest")] && read(#"["a",2.5]"#) == [.string("a"), .double(2.5)])
    }

    /// A button that publishes 0 at its release releases an action.
    @Test func releasesAreRead() throws {
        let action = ParameterSpec.impulse("", "")
        for text in ["0", "0.0", "false", "-0", #""0""#, #""0.0""#, #""false""#, "[0]"] {
            #expect(action.isRelease(try MQTTValue.arguments(Array(text.utf8)).get()), "\(text)")
        }
        for text in ["", "null", "1", "true", #""1""#, "0.5"] {
            #expect(!action.isRelease(try MQTTValue.arguments(Array(text.utf8)).get()), "\(text)")
        }
    }

    @Test func otherPayloadsAreRefused() {
        for text in [
            "{", "{}", "[[1]]", "[null]", "[{}]", "nope", "1 2", "NaN", "[1", "\"a", "\u{0}", #"{"value":1}"#,
            String(repeating: "[", count: 60_000),
        ] {
            #expect(throws: MQTTValue.Refusal.self, "\(text.prefix(20))") { try MQTTValue.arguments(Array(text.utf8)).get() }
        }
        #expect(throws: MQTTValue.Refusal.self) { try MQTTValue.arguments([0x22, 0xFF, 0x22]).get() }
    }

    @Test func arraysHaveABound() throws {
        func read(_ count: Int) -> Result<[Argument], MQTTValue.Refusal> {
            MQTTValue.arguments(Array("[\(repeatElement("1", count: count).joined(separator: ","))]".utf8))
        }
        #expect(try read(MQTTArrival.mostValues).get().count == MQTTArrival.mostValues)
        guard case .failure(let refusal) = read(MQTTArrival.mostValues + 1) else { return #expect(Bool(false)) }
        #expect(refusal.description.contains("at most 1024 values"))
    }

    @Test func randomBytesNeverTrap() {
        var random = SeededRandom()
        let alphabet = Array(#"[]{}",:0123456789.eE+-truefalsn\u"#.utf8) + [0, 0x80, 0xFF]
        for _ in 0..<20_000 {
            let count = Int(clamping: random.unit() * 24)
            let bytes = (0..<count).map { _ in alphabet[min(Int(clamping: random.unit() * Double(alphabet.count)), alphabet.count - 1)] }
            if let arguments = try? MQTTValue.arguments(bytes).get() { #expect(arguments.allSatisfy { $0 != .other }) }
        }
    }
}
