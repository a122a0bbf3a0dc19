public import Foundation

/// A folder of a test, removed together with this value.
public final class TemporaryFolder: Sendable {
    public let path: String

    public init() {
        path = FileManager.default.temporaryDirectory.appending(path: "vestibule-test-\(UUID().uuidString)").path
        do { try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true) } catch {
            fatalError("\(path) cannot be made: \(error)")
        }
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    public var url: URL { URL(filePath: path) }

    /// Path of a file in the folder.
    public func path(_ name: String) -> String { path + "/" + name }
}
