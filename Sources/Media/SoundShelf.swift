internal import Foundation
internal import Parameters

/// The sounds that objects may have, called by names: those of the files in a folder, and of single files that were named at
/// the start. Nobody reaches a file elsewhere through it.
public struct SoundShelf: Sendable {
    public let folder: String
    /// Paths of single files, by name.
    private let files: [String: String]
    /// Names that are told.
    private static let mostNames = 500

    /// - Parameters:
    ///   - folder: need not be there.
    ///   - files: single files that may lie anywhere.
    public init(folder: String, files: [String] = []) {
        self.folder = URL(filePath: folder).standardizedFileURL.path
        self.files = Dictionary(files.map { (Self.name($0), URL(filePath: $0).standardizedFileURL.path) }) { first, _ in first }
    }

    /// `$XDG_DATA_HOME/vestibule/sounds`, or `~/.local/share/vestibule/sounds`.
    public static var standardFolder: String {
        // The XDG base directory specification: relative paths are to be ignored.
        let given = ProcessInfo.processInfo.environment["XDG_DATA_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
        return (given ?? NSHomeDirectory() + "/.local/share") + "/vestibule/sounds"
    }

    /// What the sound of a file is called.
    public static func name(_ path: String) -> String { URL(filePath: path).lastPathComponent }

    /// Of all sounds, in the order a person counts.
    public var names: [String] {
        let found = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        let sounds = found.filter { name in
            !name.hasPrefix(".") && RecordingFolder.endings.contains(URL(filePath: name).pathExtension.lowercased())
        }
        return Array(Set(sounds).union(files.keys).sorted(by: NaturalOrder.precedes).prefix(Self.mostNames))
    }

    /// The file of a name.
    /// - Throws: ``MediaError`` when no sound has it.
    public func path(_ name: String) throws(MediaError) -> String {
        if let path = files[name] { return path }
        let names = names
        guard names.contains(name) else {
            let shown = String(name.unicodeScalars.prefix(80).map { $0.value < 32 || $0.value == 127 ? " " : Character($0) })
            let remedy =
                NearestName.find(name, among: names).map { "Did you mean \($0)?" }
                ?? (names.isEmpty
                    ? "Sounds lie in \(folder), where there is none; put one there, or start with --sounds and a folder of sound files."
                    : "Name one of those in \(folder): \(names.prefix(8).joined(separator: ", "))\(names.count > 8 ? ", …" : "").")
            throw MediaError("No sound is called \"\(shown)\". \(remedy)")
        }
        return folder + "/" + name
    }
}
