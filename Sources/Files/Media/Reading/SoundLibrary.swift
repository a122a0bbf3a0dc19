internal import FileOutput
internal import Files
internal import Foundation
internal import Parameters

/// The sounds available to objects, by name: the files of a folder, and single files that were given at the start.
/// No other file can be reached by a name.
public struct SoundLibrary: Sendable {
    public let folder: String
    /// Paths of single files, by name.
    private let files: [String: String]
    /// Maximum number of names listed.
    private static let mostNames = 500

    /// - Parameters:
    ///   - folder: may be missing.
    ///   - files: single files from anywhere.
    public init(folder: String, files: [String] = []) {
        self.folder = FilePlace.equivalent(URL(filePath: folder).standardizedFileURL.path)
        self.files = Dictionary(files.map { (Self.name($0), URL(filePath: $0).standardizedFileURL.path) }) { first, _ in first }
    }

    /// - Parameter named: paths of single files from anywhere, by the name of each.
    public init(folder: String, named: [String: String]) {
        self.folder = URL(filePath: folder).standardizedFileURL.path
        files = named
    }

    public static var standardFolder: String { UserFolder.data + "/sounds" }

    /// Name of the sound in a file.
    public static func name(_ path: String) -> String { URL(filePath: path).lastPathComponent }

    /// Names of all sounds, numbers in them in numerical order.
    public var names: [String] {
        let found = FilePlace.names(in: folder)
        let sounds = found.filter { name in
            !name.hasPrefix(".") && SoundEndings.contain(URL(filePath: name).pathExtension)
        }
        return Array(NaturalOrder.sorted(Set(sounds).union(files.keys)).prefix(Self.mostNames))
    }

    /// Returns the path of the sound with the given name.
    /// - Throws: ``MediaError`` when no sound has this name.
    public func path(_ name: String) throws(MediaError) -> String {
        if let path = files[name] { return path }
        let names = names
        guard names.contains(name) else {
            let shown = String(
                WrittenAddress.shown(name).unicodeScalars.prefix(80).map { $0.value < 32 || $0.value == 127 ? " " : Character($0) })
            let remedy =
                NearestName.find(name, among: names).map { "Did you mean \($0)?" }
                ?? (names.isEmpty
                    ? "The folder \(folder) has no sounds. Put sound files there, or start with --sounds and another folder."
                    : "Name one of those in \(folder): \(names.prefix(8).joined(separator: ", "))\(names.count > 8 ? ", …" : "").")
            throw MediaError("There is no sound \"\(shown)\". \(remedy)")
        }
        return FilePlace.equivalent(folder + "/" + name)
    }
}

/// Endings of the names of sound files that can be read: of recordings, sounds of objects, music and impulse responses.
public enum SoundEndings {
    /// In small letters, in the order of lists.
    public static let all = ["wav", "wave", "bwf", "bw64", "rf64", "w64", "caf", "aif", "aiff", "aifc", "flac"]

    private static let known = Set(all)

    /// Whether an ending, in any letters, is one of a sound file.
    public static func contain(_ ending: String) -> Bool { known.contains(ending.lowercased()) }
}

/// Order of names with numbers in them: mic2 before mic10.
enum NaturalOrder {
    /// A number, as its digits without leading zeros, or another single character in lower case.
    enum Piece: Comparable {
        case number(String)
        case letter(Character)

        static func < (a: Piece, b: Piece) -> Bool {
            switch (a, b) {
            // Without leading zeros, the number with more digits is the larger one.
            case (.number(let x), .number(let y)): (x.utf8.count, x) < (y.utf8.count, y)
            case (.letter(let x), .letter(let y)): x < y
            case (.number, .letter): true
            case (.letter, .number): false
            }
        }
    }

    /// Returns whether `a` sorts before `b`. Names that differ only in case or leading zeros are compared as strings.
    static func precedes(_ a: String, _ b: String) -> Bool {
        let (x, y) = (pieces(a), pieces(b))
        return x == y ? a < b : x.lexicographicallyPrecedes(y)
    }

    /// Names in order; each is taken apart once.
    static func sorted(_ names: some Sequence<String>) -> [String] {
        names.map { (pieces($0), $0) }.sorted { one, other in
            one.0 == other.0 ? one.1 < other.1 : one.0.lexicographicallyPrecedes(other.0)
        }.map(\.1)
    }

    static func pieces(_ name: String) -> [Piece] {
        var pieces: [Piece] = []
        var rest = name.lowercased()[...]
        while let first = rest.first {
            let digits = rest.prefix { ("0"..."9").contains($0) }
            if digits.isEmpty {
                pieces.append(.letter(first))
                rest.removeFirst()
            } else {
                pieces.append(.number(String(digits.drop { $0 == "0" })))
                rest = rest[digits.endIndex...]
            }
        }
        return pieces
    }
}
