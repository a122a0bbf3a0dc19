import Foundation

/// A folder removed after the test.
final class ScratchFolder: Sendable {
    let folder: String

    init() {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("scene-\(UUID().uuidString)").path
        try! FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    func path(_ name: String) -> String { folder + "/" + name }
}
