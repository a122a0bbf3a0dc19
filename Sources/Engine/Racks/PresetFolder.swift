import Foundation

/// The rack files that come with the program.
package struct PresetFolder: Sendable {
    /// Names without `.json`, in alphabetical order.
    package let names: [String]
    private let folder: String

    /// - Parameter folder: nil, or one that cannot be read, has no presets.
    package init(folder: String?) {
        self.folder = folder ?? ""
        let files = folder.flatMap { try? FileManager.default.contentsOfDirectory(atPath: $0) } ?? []
        names = files.filter { $0.hasSuffix(".json") }.map { String($0.dropLast(5)) }.sorted()
    }

    /// Path of a preset.
    func path(_ name: String) -> String { URL(filePath: folder).appending(path: name + ".json").path }
}
