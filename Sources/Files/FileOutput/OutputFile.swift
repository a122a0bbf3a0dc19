internal import Glibc

/// A file that is written beside its destination and takes its place when it is complete.
///
/// Until ``finish()`` the destination is untouched: without it, after an error or a crash, a file that was there before is
/// unchanged. Where the file system can do so (`O_TMPFILE`), the new file has no name until then, so that a crash leaves
/// nothing behind either. A symbolic link as destination stays, and the file that it leads to is replaced.
///
/// Every file that the program writes is written by this type.
// SAFETY: used by one thread at a time; it is passed to another thread only before that thread starts.
public final class OutputFile: @unchecked Sendable {
    /// Treatment of a file that is at the destination already.
    public enum Existing: Sendable {
        case refused
        /// A document of the program's own is replaced, even if it was read.
        case replaced
        /// A file is replaced unless the program has read it, now or when the output is complete.
        case replacedUnlessRead
    }

    /// Destination as it was named, or the existing file of an equivalent name.
    public let path: String
    /// Descriptor to write to; -1 once the file is finished.
    public private(set) var descriptor: Int32
    /// Destination without symbolic links.
    private let place: String
    private let existing: Existing
    private let survivesCrash: Bool
    private let isSynced: Bool
    /// Whether the file has its name from the beginning.
    private let isNamed: Bool
    /// Name of the file while it is incomplete; nil while it has none.
    private var partial: String?

    /// Opens the file beside its destination.
    ///
    /// - Parameters:
    ///   - existing: treatment of a file that is there.
    ///   - inputs: files that are read, and folders whose files are read: none of them is ever the destination.
    ///   - permissions: of the file; nil for those of the file that is replaced, or the usual ones of a new file.
    ///   - survivesCrash: whether the incomplete file has the name `PATH.part`, so that a crash or a full disk leaves what was
    ///     written.
    ///   - isNamed: whether the file has its name from the beginning, and keeps what was written without ``finish()``. Nothing is
    ///     replaced then.
    ///   - isSynced: whether ``finish()`` waits until the contents are on the disk, so that a power failure loses nothing.
    public init(
        _ path: String, existing: Existing = .refused, inputs: [String] = [], permissions: UInt32? = nil, survivesCrash: Bool = false,
        isNamed: Bool = false, isSynced: Bool = false
    ) throws(OutputError) {
        let (path, existing) = (FilePlace.equivalent(path), isNamed ? .refused : existing)
        (self.path, self.existing, self.survivesCrash, self.isSynced) = (path, existing, survivesCrash, isSynced)
        self.isNamed = isNamed
        let old = try Self.replaced(path, existing: existing, inputs: inputs)
        place = old == nil ? path : FilePlace.real(path) ?? path
        (descriptor, partial) =
            try isNamed
            ? (Self.openNamed(path), nil) : Self.open(place, named: path, permissions ?? 0o666, survivesCrash: survivesCrash)
        if let mode = permissions ?? old.map({ $0.st_mode & 0o777 }) { fchmod(descriptor, mode) }
    }

    deinit {
        if descriptor >= 0 { discard() }
    }

    /// Closes the incomplete file and removes it, unless it is to survive and there is something in it.
    private func discard() {
        var facts = stat()
        let isKept = survivesCrash && (descriptor < 0 || fstat(descriptor, &facts) != 0 || facts.st_size > 0)
        if descriptor >= 0 { close(descriptor) }
        descriptor = -1
        if let partial, !isKept { unlink(partial) }
        partial = nil
    }

    /// `O_TMPFILE`, a macro that Swift does not import.
    private static let unnamedFile = 0o20_000_000 | O_DIRECTORY

    private static func open(
        _ place: String, named path: String, _ mode: mode_t, survivesCrash: Bool
    ) throws(OutputError) -> (descriptor: Int32, partial: String?) {
        let folder = FilePlace.folder(of: place)
        if !survivesCrash {
            let unnamed = Glibc.open(folder, unnamedFile | O_RDWR | O_CLOEXEC, mode)
            if unnamed >= 0 { return (unnamed, nil) }
        }
        for attempt in 1...100 {
            let partial = survivesCrash ? place + (attempt == 1 ? "" : "-\(attempt)") + ".part" : hiddenName(in: folder)
            let named = Glibc.open(partial, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, mode)
            if named >= 0 { return (named, partial) }
            // An incomplete file of an earlier run is kept.
            guard errno == EEXIST else { throw OutputError(path, errno: errno) }
        }
        throw OutputError(path, .other, "there are 100 incomplete files \(place)-….part already; remove those that are not needed")
    }

    private static func openNamed(_ path: String) throws(OutputError) -> Int32 {
        let descriptor = Glibc.open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o666)
        guard descriptor < 0 else { return descriptor }
        guard errno == EEXIST else { throw OutputError(path, errno: errno) }
        throw OutputError(path, .exists, "the file exists already")
    }

    private static func hiddenName(in folder: String) -> String {
        folder + "/.vestibule-" + RandomName.make() + ".part"
    }

    /// Path by which this process can read the incomplete file, until ``finish()``.
    public var readablePath: String { "/proc/self/fd/\(descriptor)" }

    /// Writes bytes at the end.
    public func write(_ bytes: UnsafeRawBufferPointer) throws(OutputError) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = Glibc.write(descriptor, rest.base, rest.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw OutputError(path, errno: errno) }
            rest = rest.dropFirst(count)
        }
    }

    /// Writes text at the end, as UTF-8.
    public func write(_ text: String) throws(OutputError) { try write(Array(text.utf8)) }

    public func write(_ bytes: [UInt8]) throws(OutputError) {
        var failure: OutputError?
        bytes.withUnsafeBytes { raw in
            do throws(OutputError) { try write(raw) } catch { failure = error }
        }
        if let failure { throw failure }
    }

    /// Waits until what was written is on the disk.
    public func sync() throws(OutputError) {
        if fdatasync(descriptor) != 0 { throw OutputError(path, errno: errno) }
    }

    /// Gives the complete file its name. Nothing can be written afterwards.
    public func finish() throws(OutputError) {
        guard descriptor >= 0 else { return }
        defer { discard() }
        if isSynced, fsync(descriptor) != 0 { throw OutputError(path, errno: errno) }
        if partial == nil, !isNamed { try nameUnnamed() }
        // A file on a server may be refused only here.
        let closed = close(descriptor)
        let number = errno
        descriptor = -1
        guard closed == 0 else { throw OutputError(path, errno: number) }
        guard let partial else { return }
        switch existing {
        case .replaced, .replacedUnlessRead:
            try keepBesideInput(partial)
            if rename(partial, place) != 0 { throw OutputError(path, errno: errno) }
        case .refused: try moveToFreeName(partial)
        }
        self.partial = nil
    }

    /// Keeps the output beside a destination that the program has read meanwhile, and throws.
    private func keepBesideInput(_ partial: String) throws(OutputError) {
        guard existing == .replacedUnlessRead, let facts = FilePlace.facts(place), FilesRead.path(facts) != nil else { return }
        for attempt in 1...100 {
            let kept = place + (attempt == 1 ? "" : "-\(attempt)") + ".part"
            guard kept == partial || FilePlace.facts(kept) == nil else { continue }
            guard kept == partial || rename(partial, kept) == 0 else { throw OutputError(path, errno: errno) }
            self.partial = nil
            throw OutputError(path, .isInput, "this file is an input; the output is in \(kept)")
        }
        throw OutputError(path, .isInput, "this file is an input")
    }

    /// Gives a file without a name that of the destination, or a hidden name, from which it then replaces the destination.
    private func nameUnnamed() throws(OutputError) {
        let source = "/proc/self/fd/\(descriptor)"
        if existing == .refused || FilePlace.facts(place) == nil {
            if linkat(AT_FDCWD, source, AT_FDCWD, place, AT_SYMLINK_FOLLOW) == 0 { return }
            guard errno == EEXIST, existing != .refused else { throw named(errno) }
        }
        let hidden = Self.hiddenName(in: FilePlace.folder(of: place))
        guard linkat(AT_FDCWD, source, AT_FDCWD, hidden, AT_SYMLINK_FOLLOW) == 0 else { throw OutputError(path, errno: errno) }
        partial = hidden
    }

    private func moveToFreeName(_ partial: String) throws(OutputError) {
        if link(partial, place) == 0 {
            unlink(partial)
            return
        }
        // File systems without hard links.
        guard errno != EEXIST else { throw named(EEXIST) }
        do throws(OutputError) { try FilePlace.rename(partial, toFree: place) } catch {
            throw error.kind == .exists ? named(EEXIST) : error
        }
    }

    private func named(_ number: Int32) -> OutputError {
        number == EEXIST ? OutputError(path, .exists, "a file with this name has been created meanwhile") : OutputError(path, errno: number)
    }

    /// Writes a whole file.
    public static func write(
        _ bytes: [UInt8], to path: String, existing: Existing = .refused, inputs: [String] = [], permissions: UInt32? = nil,
        isSynced: Bool = false
    ) throws(OutputError) {
        let file = try OutputFile(path, existing: existing, inputs: inputs, permissions: permissions, isSynced: isSynced)
        try file.write(bytes)
        try file.finish()
    }

    /// Writes a whole file of text, as UTF-8.
    public static func write(
        _ text: String, to path: String, existing: Existing = .refused, inputs: [String] = [], isSynced: Bool = false
    ) throws(OutputError) {
        try write(Array(text.utf8), to: path, existing: existing, inputs: inputs, isSynced: isSynced)
    }
}

extension Slice<UnsafeRawBufferPointer> {
    fileprivate var base: UnsafeRawPointer? { UnsafeRawBufferPointer(rebasing: self).baseAddress }
}

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
