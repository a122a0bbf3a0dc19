import Foundation

/// The chosen ports, for the script that started the program; written once sound is running.
struct ReadyFile: Encodable {
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

    /// Writes atomically: a script that sees the file sees all of it.
    func write(_ path: String) throws {
        let encoder = JSONEncoder()
        encoder.keyEncodingStrategy = .convertToSnakeCase
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        try encoder.encode(self).write(to: URL(filePath: path), options: .atomic)
    }
}
