internal import FileOutput
internal import Files
internal import Glibc

/// A file that only its owner can read (mode 0600), and that is written as a whole or not at all.
public enum PrivateFile {
    /// Greatest length in bytes.
    private static let longest = 1 << 20

    /// - Returns: nil when the file does not exist.
    /// - Throws: ``TrustError/open(_:)`` when others can read it, ``TrustError/notReadable(_:_:)``.
    public static func read(_ path: String) throws(TrustError) -> String? {
        do {
            let file = try RegularFile(path, followsLinks: false)
            guard !file.isShared else { throw TrustError.open(path) }
            return try text(file)
        } catch let error as FileError {
            if error.isMissing { return nil }
            throw .notReadable(path, error.reason)
        } catch { throw error as! TrustError }
    }

    /// Reads a file in PEM that others may read as well.
    /// - Throws: ``TrustError/binary(_:isKey:isArchive:)`` for DER and PKCS#12, ``TrustError/notReadable(_:_:)``.
    static func readPEM(_ path: String, isKey: Bool) throws(TrustError) -> String {
        do {
            let file = try RegularFile(path)
            let bytes = try file.bytes(atMost: longest)
            guard !isSequence(bytes) else { throw TrustError.binary(path, isKey: isKey, isArchive: isArchive(bytes)) }
            return try text(file)
        } catch let error as FileError { throw .notReadable(path, error.reason) } catch { throw error as! TrustError }
    }

    /// Whether bytes begin with a sequence of ASN.1 whose length takes two bytes, or more than a line of text has.
    private static func isSequence(_ bytes: [UInt8]) -> Bool {
        bytes.count > 2 && bytes[0] == 0x30 && (bytes[1] >= 0x80 || bytes[2] < 0x20)
    }

    /// Whether a sequence begins with the version of PKCS#12 (RFC 7292, 4).
    private static func isArchive(_ bytes: [UInt8]) -> Bool {
        bytes.dropFirst(bytes[1] < 0x80 ? 2 : 2 + Int(bytes[1] & 0x7F)).starts(with: [2, 1, 3])
    }

    private static func text(_ file: RegularFile) throws(FileError) -> String {
        try file.text(atMost: longest)
    }

    /// Replaces the file, or creates it and its folders (mode 0700). The old contents stay until the new ones are complete.
    public static func write(_ text: String, to path: String) throws(TrustError) {
        do throws(OutputError) { try write(text, to: path, existing: .replaced) } catch { throw .notWritable(path, error.reason) }
    }

    /// Creates the file and its folders (mode 0700).
    /// - Returns: false when the file exists already.
    public static func create(_ text: String, at path: String) throws(TrustError) -> Bool {
        do throws(OutputError) { try write(text, to: path, existing: .refused) } catch {
            guard error.kind == .exists else { throw .notWritable(path, error.reason) }
            return false
        }
        return true
    }

    private static func write(_ text: String, to path: String, existing: OutputFile.Existing) throws(OutputError) {
        makeFolders(path)
        try OutputFile.write(Array(text.utf8), to: path, existing: existing, permissions: 0o600, isSynced: true)
    }

    /// Runs `body` while no other process of this user does the same with the same lock file.
    static func exclusively<Result>(_ path: String, _ body: () throws(TrustError) -> Result) throws(TrustError) -> Result {
        makeFolders(path)
        let descriptor = LockFile.open(path)
        guard descriptor >= 0 else { throw .notWritable(path, reason) }
        defer { close(descriptor) }
        while flock(descriptor, LOCK_EX) != 0 { guard errno == EINTR else { throw .notWritable(path, reason) } }
        return try body()
    }

    private static func makeFolders(_ path: String) {
        for end in path.indices.dropFirst() where path[end] == "/" { _ = mkdir(String(path[..<end]), 0o700) }
    }

    private static var reason: String { String(cString: strerror(errno)) }
}
