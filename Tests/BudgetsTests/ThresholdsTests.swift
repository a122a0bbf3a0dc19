import Budgets
import FileOutput
import Foundation
import TestSupport
import Testing

struct ThresholdsTests {
    /// Budgets are rounded up to three digits, never below what was measured.
    @Test(
        arguments: [
            (1, 1.3, 1.3), (0.012_345, 1.3, 0.0161), (123.4, 1, 124), (123_456, 1, 124_000), (9.996, 1, 10), (1, 1, 1), (0.1, 3, 0.301),
        ] as [(Double, Double, Double)])
    func roundsUpToThreeDigits(measured: Double, margin: Double, limit: Double) throws {
        let found = try #require(Thresholds(measured: ["x": measured], margin: margin).ratios["x"])
        #expect(found >= measured * margin && found <= measured * margin * 1.01)
        #expect(abs(found - limit) <= limit * 1e-12, "\(found)")
    }

    @Test func filesAreReadAsTheyWereWritten() throws {
        let folder = TemporaryFolder()
        let path = folder.path("budgets.json")
        try Thresholds(measured: ["b/c": 2, "a": 0.5], margin: 1.3).write(to: OutputFile(path, existing: .refused))
        let read = try Thresholds(path: path)
        #expect(read.ratios == ["a": 0.65, "b/c": 2.6] && read.counts == 0 && read.unit.contains(Thresholds.reference))
        let text = try String(decoding: Data(contentsOf: URL(filePath: path)), as: UTF8.self)
        #expect(text.hasSuffix("}\n") && text.contains("\"b/c\""))
    }

    @Test func damagedFilesAreRefused() throws {
        let folder = TemporaryFolder()
        #expect(throws: (any Error).self) { try Thresholds(path: folder.path("none.json")) }
        try Data("{\"ratios\": 3}".utf8).write(to: URL(filePath: folder.path("damaged.json")))
        #expect(throws: BudgetFileError.self) { try Thresholds(path: folder.path("damaged.json")) }
    }
}
