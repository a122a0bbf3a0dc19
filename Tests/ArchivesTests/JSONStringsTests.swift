import Foundation
import Testing

@testable import Archives

struct JSONStringsTests {
    private func replaced(_ text: String, _ replace: (String) -> String?) -> String {
        String(decoding: JSONStrings.replacing(in: Array(text.utf8), replace), as: UTF8.self)
    }

    @Test func everythingElseStaysByteForByte() {
        let text = #"{ "a" : 0.10, "b":["\u00e9\"x\\", 1e3 ,null],"c":"/old/ä b.wav" }"#
        #expect(replaced(text) { _ in nil } == text)
        #expect(
            replaced(text) { $0 == "/old/ä b.wav" ? "/new/\"ä\".wav" : nil } == text.replacing("/old/ä b.wav", with: #"/new/\"ä\".wav"#))
        #expect(replaced(text) { $0 == "é\"x\\" ? "y" : nil } == text.replacing(#"\u00e9\"x\\"#, with: "y"))
    }

    @Test(arguments: ["\"", "\"\\", "{\"a", "\"\\u12\"", ""]) func damagedTextStays(_ text: String) {
        #expect(replaced(text) { _ in "x" } == text)
    }
}
