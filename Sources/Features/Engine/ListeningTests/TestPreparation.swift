import Crossing
import Files
import Foundation
import Hub
import ListeningTest
import Media

/// Reads a test's files and measures the loudness of its sounds. Used on threads that may wait.
struct TestPreparation: Sendable {
    struct Product: Sendable {
        let definition: TestDefinition
        var record: TestRecord
        /// Rows of the head motion so far.
        let motion: String
        /// Path and length in seconds of each passage.
        let paths: [String]
        let lengths: [Double]
        let isResumed: Bool
    }

    let test: String
    let path: String
    /// Text of a definition that is not in a file; its recording is loaded already, so access to it is not checked.
    var text: String?
    let participant: String
    let listener: Int
    let seed: Int
    let files: TestFiles
    let recordings: String
    let isAllowed: @Sendable (String) -> Bool
    let loudness: PassageLoudness
    /// Share that is done.
    let progress: Target

    func run(isWanted: () -> Bool) -> Result<Product, RequestError> {
        do {
            guard let product = try prepare(isWanted) else { return .failure(RequestError("\(test): given up")) }
            return .success(product)
        } catch let error as RequestError { return .failure(error) } catch { return .failure(RequestError("\(error)")) }
    }

    private func prepare(_ isWanted: () -> Bool) throws -> Product? {
        let known = try files.record(test, participant)
        let text = try known?.definition ?? text ?? RegularFile.text(path)
        let definition = try TestDefinition(json: text, name: path)
        let plan = TestPlan(definition, seed: known?.seed ?? seed)
        if let known, known.trial >= plan.trials.count {
            throw RequestError("\(participant) has completed the test \(test); use another code")
        }
        let paths = try definition.passages.map { try recording($0.recording) }
        var gains: [[Double]] = []
        var lengths: [Double] = []
        let writer = progress.makeWriter()
        for (place, passage) in definition.passages.enumerated() {
            if let known {
                let reader = try RecordingReader(path: paths[place])
                lengths.append(min(passage.to ?? .infinity, Double(reader.frames) / reader.rate) - passage.from)
                gains = known.gains
                continue
            }
            let measured = try loudness.measure(
                definition.conditions(), path: paths[place], from: passage.from, to: passage.to, isWanted: isWanted)
            guard let measured else { return nil }
            lengths.append(measured.seconds)
            gains.append(try Self.gains(measured.loudness, passage.name, definition))
            writer.set(Float(place + 1) / Float(paths.count))
        }
        let fresh = TestRecord(
            test: test, definition: text, participant: participant, listener: listener, seed: seed, begun: Date().timeIntervalSince1970,
            gains: gains)
        return Product(
            definition: definition, record: known ?? fresh, motion: known == nil ? "" : files.motion(test, participant), paths: paths,
            lengths: lengths, isResumed: known != nil)
    }

    private func recording(_ name: String) throws -> String {
        let path = name.hasPrefix("/") ? name : recordings + "/" + name
        guard !name.split(separator: "/").contains(".."), text != nil || isAllowed(path) else {
            throw RequestError(
                "the recording \"\(name)\" is refused: it is in no folder that clients may use; name a file in \(recordings), or start "
                    + "with --allow-path and its folder")
        }
        return path
    }

    /// Gains in dB that make all sounds as loud as the quietest one.
    private static func gains(_ loudness: [Double?], _ passage: String, _ definition: TestDefinition) throws -> [Double] {
        let known = loudness.compactMap { $0 }
        guard known.count == loudness.count, let lowest = known.min() else {
            let silent = zip(definition.stimuli, loudness).filter { $0.1 == nil }.map(\.0.name)
            throw RequestError("the passage \"\(passage)\" is silent with \(silent.joined(separator: ", ")); choose another passage")
        }
        return known.map { ((lowest - $0) * 100).rounded() / 100 }
    }
}
