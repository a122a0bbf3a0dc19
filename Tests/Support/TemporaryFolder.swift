public import Foundation

/// A folder of a test, removed together with this value.
///
/// Threads of what was tested may still write in it then: what they leave is removed when the process ends.
public final class TemporaryFolder: Sendable {
    /// Holds the folders of all tests of this process.
    private static let root: String = {
        let root = FileManager.default.temporaryDirectory.appending(path: "vestibule-tests-\(getpid())").path
        make(root)
        atexit {
            for _ in 0..<1000 where FileManager.default.fileExists(atPath: TemporaryFolder.root) {
                try? FileManager.default.removeItem(atPath: TemporaryFolder.root)
            }
        }
        return root
    }()

    public let path = root + "/" + UUID().uuidString

    public init() { Self.make(path) }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    private static func make(_ path: String) {
        do { try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true) } catch {
            fatalError("\(path) cannot be made: \(error)")
        }
    }

    public var url: URL { URL(filePath: path) }

    /// Path of a file in the folder.
    public func path(_ name: String) -> String { path + "/" + name }
}
