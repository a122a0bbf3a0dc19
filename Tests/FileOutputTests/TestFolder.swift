import Foundation
import TestSupport

/// A folder of a test, removed with it.
final class TestFolder {
    private let folder = TemporaryFolder()

    var path: String { folder.path }

    func path(_ name: String) -> String { path + "/" + name }

    @discardableResult
    func write(_ name: String, _ text: String) throws -> String {
        try text.write(toFile: path(name), atomically: false, encoding: .utf8)
        return path(name)
    }

    func text(_ name: String) -> String? { try? String(contentsOfFile: path(name), encoding: .utf8) }

    /// Names of all files, hidden ones as well.
    var names: [String] { ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted() }

    func mode(_ name: String) -> Int {
        (try? FileManager.default.attributesOfItem(atPath: path(name))[.posixPermissions] as? Int) ?? -1
    }

    func link(_ name: String, to target: String) throws {
        try FileManager.default.createSymbolicLink(atPath: path(name), withDestinationPath: target)
    }
}
