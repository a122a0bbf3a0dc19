public import FileOutput
internal import Files
internal import Glibc

/// A kind of files of an installation, as archives hold it: where its files are, how they belong together, and how they are checked.
public struct ArchiveKind: Sendable {
    /// The files that belong together by their names.
    public enum Grouping: Sendable {
        /// Each file is by itself.
        case file
        /// Files whose names differ by the ending only, such as a recording with its sidecar and its video, and folders.
        case stem
        /// The files of a folder.
        case folder
    }

    /// The folder of the files in an archive.
    public let name: String
    /// Absolute path.
    public let folder: String
    /// Whether archives contain the kind by default.
    public let isStandard: Bool
    /// Number of parts of a name between slashes.
    let depth: ClosedRange<Int>
    let grouping: Grouping
    /// Accepted files by name ending, with their checks; files in a folder of their own are checked as a whole instead.
    let accepted: [AcceptedFiles]
    /// The user's descriptions and pictures of the files, in ``AboutFiles/folder``, by the endings of their names.
    let about: [AcceptedFiles]
    /// Throws the reason why the program cannot use a folder of the kind; nil where folders only order the files.
    let checkFolder: (@Sendable (_ path: String) throws -> Void)?
    /// Whether a folder of the kind may still grow; nil where none does.
    let isOpen: (@Sendable (_ path: String) -> Bool)?

    public init(
        _ name: String, folder: String, isStandard: Bool = true, depth: ClosedRange<Int> = 1...1, grouping: Grouping = .file,
        accepted: [AcceptedFiles], about: [AcceptedFiles] = [], checkFolder: (@Sendable (_ path: String) throws -> Void)? = nil,
        isOpen: (@Sendable (_ path: String) -> Bool)? = nil
    ) {
        (self.name, self.folder, self.isStandard, self.depth, self.grouping) = (name, folder, isStandard, depth, grouping)
        (self.accepted, self.about, self.checkFolder, self.isOpen) = (accepted, about, checkFolder, isOpen)
    }

    // MARK: Names

    /// - Returns: the reason to refuse a name relative to the folder; nil for one that is accepted.
    func problem(_ name: String) -> String? {
        guard !about.isEmpty, let subject = AboutFiles.subject(name) else { return problem(ofFile: name) }
        // Recordings may be folders of mono files.
        guard let problem = problem(ofFile: subject) else { return nil }
        return grouping == .stem && !subject.contains("/") ? AcceptedFiles.problem(part: subject) : problem
    }

    private func problem(ofFile name: String) -> String? {
        let parts = name.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        guard depth.contains(parts.count) else {
            return "a name of \(self.name) has \(depth.count == 1 ? "" : "\(depth.lowerBound) to ")\(depth.upperBound) parts"
        }
        for folder in parts.dropLast() { if let problem = AcceptedFiles.problem(part: folder) { return problem } }
        if files(parts[parts.count - 1]) != nil { return nil }
        return AcceptedFiles.problem(part: parts[parts.count - 1]) ?? "\(self.name) have no files with this ending"
    }

    /// The rules for a file by its name; nil for none.
    func files(_ name: String) -> AcceptedFiles? {
        let last = FilePlace.name(of: name)
        return (isAbout(name) ? about : accepted).first { $0.problem(last) == nil }
    }

    /// Whether a name is that of a description or picture of another file.
    func isAbout(_ name: String) -> Bool { !about.isEmpty && AboutFiles.subject(name) != nil }

    /// The item that is checked as a whole for a name: the name's first part where folders are checked, else the name itself.
    func item(_ name: String) -> String {
        guard checkFolder != nil, !isAbout(name), let slash = name.firstIndex(of: "/") else { return name }
        return String(name[..<slash])
    }

    /// The part of a name that all files which belong together have in common.
    func unit(_ name: String) -> String {
        if isAbout(name), let subject = AboutFiles.subject(name) { return unit(subject) }
        switch grouping {
        case .file: return name
        case .folder: return String(name.prefix { $0 != "/" })
        case .stem:
            let first = String(name.prefix { $0 != "/" })
            return first.count < name.count ? first : Self.stem(first)
        }
    }

    /// Returns the new name of a file whose unit is renamed.
    func renamed(_ name: String, unit: String, to new: String) -> String {
        guard isAbout(name), let subject = AboutFiles.subject(name) else { return new + name.dropFirst(unit.count) }
        let ending = name[name.index(after: name.lastIndex(of: ".") ?? name.startIndex)...]
        let path = AboutFiles.path(of: renamed(subject, unit: unit, to: new), String(ending))
        return path.hasPrefix("./") ? String(path.dropFirst(2)) : path
    }

    /// The name of a unit with a number after it: `garden-2`, `presets/warm-2.json`.
    func numbered(_ unit: String, _ number: Int) -> String {
        guard grouping == .file else { return "\(unit)-\(number)" }
        let stem = Self.stem(unit)
        return "\(stem)-\(number)\(unit.dropFirst(stem.count))"
    }

    private static func stem(_ name: String) -> String {
        guard let dot = name.lastIndex(of: "."), !name[dot...].contains("/") else { return name }
        return String(name[..<dot])
    }

    // MARK: Files

    /// Bytes of all files in the folder.
    public var size: Int64 {
        names { _, _ in }.reduce(0) { $0 + Int64((try? RegularFile(folder + "/" + $1, followsLinks: false).size) ?? 0) }
    }

    /// - Throws: the reason why the program cannot use an item. `folder` is the staging folder or any other that has the same structure.
    func check(_ item: String, isFolder: Bool, in folder: String) throws {
        let path = folder + "/" + item
        if isFolder, !isAbout(item) { try checkFolder?(path) } else { try files(item)?.check(path) }
    }

    /// Names of all files, relative to the folder, in order; no hidden ones and no symbolic links, and none that the kind refuses.
    /// - Parameter refused: called with the name and the reason for each file that is left out.
    func names(refused: (String, String) -> Void) -> [String] {
        var names: [String] = []
        func look(_ prefix: String, _ level: Int) {
            for name in FilePlace.names(in: folder + "/" + prefix).sorted() where !name.hasPrefix(".") {
                let (whole, path) = (prefix + name, folder + "/" + prefix + name)
                if FilePlace.isLink(path) {
                    refused(whole, "it is a symbolic link")
                } else if FilePlace.isFolder(path) {
                    if level < depth.upperBound { look(whole + "/", level + 1) } else { refused(whole, "it is a folder") }
                    names += about(whole)
                } else if let problem = problem(whole) {
                    refused(whole, problem)
                } else {
                    names.append(whole)
                    names += about(whole)
                }
            }
        }
        look("", 1)
        var known: Set<String> = []
        return names.filter { name in
            let isNew = known.insert(name).inserted
            if !isNew { refused(name, "another file has a name that looks the same; rename one of them") }
            return isNew
        }
    }

    /// Names of the description and the picture of a file.
    private func about(_ name: String) -> [String] {
        guard !about.isEmpty else { return [] }
        return about.flatMap(\.endings).map { AboutFiles.path(of: folder + "/" + name, $0) }.filter {
            FilePlace.isTaken($0) && !FilePlace.isLink($0)
        }
        .map { String($0.dropFirst(folder.count + 1)) }
    }
}
