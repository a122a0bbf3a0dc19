internal import Foundation
public import Rack
public import Session

/// The rack files that came with the program.
public struct PresetShelf: Sendable {
    /// Without `.json`, in alphabetical order.
    public let names: [String]
    private let folder: String

    /// - Parameter folder: nil, or one that cannot be read, has none.
    public init(folder: String?) {
        self.folder = folder ?? ""
        let files = folder.flatMap { try? FileManager.default.contentsOfDirectory(atPath: $0) } ?? []
        names = files.filter { $0.hasSuffix(".json") }.map { String($0.dropLast(5)) }.sorted()
    }

    public func read(_ name: String) throws(SessionError) -> RackDescription {
        try RackFile.read(URL(filePath: folder).appending(path: name + ".json").path)
    }
}
