internal import Glibc

extension OutputFile {
    /// Whether a file may be written, without opening it.
    /// - Throws: ``OutputError``, as opening it would.
    public static func check(_ path: String, existing: Existing = .refused, inputs: [String] = []) throws(OutputError) {
        _ = try replaced(FilePlace.equivalent(path), existing: existing, inputs: inputs)
    }

    /// Checks a destination.
    /// - Returns: the facts about the file that will be replaced; nil when there is none.
    static func replaced(_ path: String, existing: Existing, inputs: [String]) throws(OutputError) -> stat? {
        guard !path.isEmpty, !path.utf8.contains(0) else { throw OutputError(path, .other, "this is not a path; name a file") }
        var link = stat()
        guard lstat(path, &link) == 0 else {
            try checkNew(path, errno)
            return nil
        }
        guard let old = FilePlace.facts(path) else {
            throw OutputError(path, .other, "it is a dangling symbolic link; remove it, or name another file")
        }
        switch old.st_mode & S_IFMT {
        case S_IFREG: break
        case S_IFDIR: throw OutputError(path, .other, "it is a folder; name a file in it")
        default: throw OutputError(path, .other, "it is not a regular file; name another one")
        }
        let read = inputs + inputs.flatMap { folder in FilePlace.names(in: folder).map { folder + "/" + $0 } }
        if let input = read.first(where: { FilePlace.isSame($0, path) }) {
            throw OutputError(path, .isInput, "it is the same file as the input \(input); name another output")
        }
        if existing == .replacedUnlessRead, let input = FilesRead.path(old) {
            throw OutputError(path, .isInput, "it is the same file as the input \(input); name another output")
        }
        guard existing != .refused else { throw OutputError(path, .exists, "the file exists already") }
        guard access(path, W_OK) == 0 else {
            throw OutputError(path, .other, "the existing file is write-protected; name another one, or make it writable")
        }
        return old
    }

    /// Checks the name of a file that does not exist.
    /// - Parameter number: of `errno`, from looking for it.
    private static func checkNew(_ path: String, _ number: Int32) throws(OutputError) {
        guard !path.hasSuffix("/") else { throw OutputError(path, .other, "it names a folder; name a file in it") }
        let folder = FilePlace.folder(of: path)
        guard number == ENOENT, FilePlace.facts(folder) != nil else { throw OutputError(path, errno: number) }
        let name = path.utf8.reversed().prefix { $0 != UInt8(ascii: "/") }.count
        // A file without a name would fail only when it is given one.
        let longest = pathconf(folder, Int32(_PC_NAME_MAX))
        guard longest <= 0 || name <= longest else { throw OutputError(path, errno: ENAMETOOLONG) }
    }
}
