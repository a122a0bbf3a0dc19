import FileOutput
import Files
import Foundation

/// The chosen ports, for the script that started the program; written once sound is running.
struct ReadyFile: Codable {
    let panel: String
    let host: String
    let oscPort: Int
    let httpPort: Int
    let device: String
    let rate: Int
    let period: Int
    let pid: Int32
    /// UDP ports of the trackers, in the order given.
    let trackerPorts: [Int]

    /// Checks the path before the start.
    /// - Throws: `OutputError` when there is a file that is not a ready file of an earlier run.
    static func check(_ path: String, inputs: [String]) throws {
        try OutputFile.check(path, existing: .replaced, inputs: inputs)
        let bytes: [UInt8]
        do { bytes = try RegularFile(path).bytes(atMost: RegularFile.largestText) } catch {
            if error.isMissing { return }
            throw OutputError(path, .exists, "\(error.reason); name another one")
        }
        if bytes.isEmpty { return }
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        guard (try? decoder.decode(ReadyFile.self, from: Data(bytes))) != nil else {
            throw OutputError(path, .exists, "the file exists already, and it is not a ready file; name another one, or remove it")
        }
    }

    /// Writes the file as a whole: a script that sees it sees all of it. Replaces the ready file of an earlier run.
    func write(_ path: String) throws {
        let encoder = JSONEncoder()
        encoder.keyEncodingStrategy = .convertToSnakeCase
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        try OutputFile.write([UInt8](encoder.encode(self)), to: path, existing: .replaced)
    }
}
