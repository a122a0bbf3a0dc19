/// Room in the media library for files that are being received: promised to each before it begins, whole, until it has ended.
/// Used on the control thread.
final class UploadRoom {
    private let hasRoom: (_ bytes: Int64) -> Bool?
    private let onFile: (_ bytes: Int64) -> Void
    private var promised: [String: Int64] = [:]

    /// - Parameters:
    ///   - hasRoom: whether the library may grow by so many bytes; nil until that is known.
    ///   - onFile: receives the size of each file that has come.
    init(hasRoom: @escaping (_ bytes: Int64) -> Bool?, onFile: @escaping (_ bytes: Int64) -> Void) {
        (self.hasRoom, self.onFile) = (hasRoom, onFile)
    }

    /// Promises room to a file, unless all that is promised would not fit.
    /// - Returns: the answer to those for whom there is no room.
    func promise(_ bytes: Int, to id: String) -> Response? {
        guard let hasRoom = hasRoom(promised.values.reduce(Int64(bytes), +)) else {
            return .text(503, "the library is being read; try again in a second")
        }
        guard hasRoom else {
            return .text(413, "the library would exceed its limit (--library-limit); delete files, and empty the trash, first")
        }
        promised[id] = Int64(bytes)
        return nil
    }

    /// Promises room to an upload of the last run, to which it was promised then.
    func restore(_ bytes: Int, to id: String) { promised[id] = Int64(bytes) }

    /// Ends a promise.
    /// - Parameter isStored: whether the file has come.
    func end(_ id: String, isStored: Bool) {
        guard let bytes = promised.removeValue(forKey: id), isStored else { return }
        onFile(bytes)
    }
}
