import DSP
import Foundation
import TestSupport
import Testing

@testable import Query

/// The namespace's text, byte for byte as the library's encoder writes the same values.
@Suite struct JSONTextTests {
    private func encoded(_ value: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(value), as: UTF8.self)
    }

    private func written(_ add: (inout JSONText) -> Void) -> String {
        var text = JSONText()
        add(&text)
        return String(decoding: text.bytes, as: UTF8.self)
    }

    @Test func everyCharacterIsWrittenAsTheLibraryDoes() throws {
        for code in UInt32(0)...0x2FF {
            let character = String(Unicode.Scalar(code) ?? "?")
            #expect(written { $0.append(quoting: "a\(character)b") } == (try encoded("a\(character)b")), "U+\(String(code, radix: 16))")
        }
        for text in ["", "\u{2028}", "日本", "👂🏽", "/a/b", "\\\"\\"] {
            #expect(written { $0.append(quoting: text) } == (try encoded(text)))
        }
    }

    @Test func numbersAreWrittenAsTheLibraryDoes() throws {
        var random = SeededRandom()
        for _ in 0..<20_000 {
            let float = Float(bitPattern: UInt32(truncatingIfNeeded: random.next() >> 32))
            guard float.isFinite else { continue }
            #expect(written { $0.append(float) } == (try encoded(float)))
            #expect(written { $0.append(Double(float) * 1.1) } == (try encoded(Double(float) * 1.1)))
        }
        for value in [Float(0), -0.0, 1, -6, 1e-5, 1e7, 16_777_216, 1e20, .leastNonzeroMagnitude, .greatestFiniteMagnitude] {
            #expect(written { $0.append(value) } == (try encoded(value)))
        }
        for value in [Float.nan, .infinity, -.infinity] { #expect(written { $0.append(value) } == "null") }
    }

    @Test func listsAndObjectsHaveCommasBetween() {
        let text = written { text in
            text.append("{")
            text.append(key: "a") { text in text.append(listing: [1, 2.5] as [Float]) { $0.append($1) } }
            text.append(key: "b") { text in text.append(listing: [] as [Float]) { $0.append($1) } }
            text.append("}")
        }
        #expect(text == #"{"a":[1,2.5],"b":[]}"#)
    }
}
