internal import Glibc

/// The description and the picture that the user has given a file, in the folder `.about` beside it. They move together with the file.
public enum AboutFiles {
    /// Name of the hidden folder.
    public static let folder = ".about"
    /// Ending of descriptions, and those of pictures.
    public static let words = "json"
    public static let pictures = ["png", "jpg", "jpeg", "webp"]
    static let endings = [words] + pictures

    /// Path of the description or picture of a file, by its ending.
    public static func path(of file: String, _ ending: String) -> String {
        "\(FilePlace.folder(of: file))/\(folder)/\(FilePlace.name(of: file)).\(ending)"
    }

    /// The name of the file that a file in ``folder`` describes; nil for other names.
    public static func subject(_ name: String) -> String? {
        var parts = name.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        guard parts.count > 1, parts[parts.count - 2] == folder, let last = parts.popLast(), let dot = last.lastIndex(of: "."),
            endings.contains(String(last[last.index(after: dot)...]))
        else { return nil }
        parts[parts.count - 1] = String(last[..<dot])
        return parts.joined(separator: "/")
    }

    /// Moves the description and the picture after their file or folder has moved. After a failure they stay where they are.
    public static func follow(_ file: String, to place: String) {
        for ending in endings {
            let (old, new) = (path(of: file, ending), path(of: place, ending))
            guard FilePlace.facts(old) != nil else { continue }
            mkdir(FilePlace.equivalent(FilePlace.folder(of: new)), 0o777)
            rename(FilePlace.equivalent(old), FilePlace.equivalent(new))
        }
    }
}
