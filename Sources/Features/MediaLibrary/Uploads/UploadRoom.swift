internal import Web

/// Room of the media library for uploads: the full size of each, from its beginning to its end. Used on the control thread.
package struct UploadRoom {
    private let library: LibraryAccess

    package init(_ library: LibraryAccess) { self.library = library }

    /// Promises room to a file, unless all that is promised would not fit.
    /// - Returns: the answer to those for whom there is no room.
    func promise(_ bytes: Int, to id: String) -> Response? {
        switch library.promise(Int64(bytes), id) {
        case nil: .text(503, "the library is being read; try again in a second")
        case false?: .text(413, "the library would exceed its limit (--library-limit); delete files, and empty the trash, first")
        case true?: nil
        }
    }

    /// Promises room to an upload of the last run, to which it was promised then.
    func restore(_ bytes: Int, to id: String) { library.renew(Int64(bytes), id) }

    /// Ends a promise.
    /// - Parameter isStored: whether the file was stored.
    func end(_ id: String, isStored: Bool) { library.end(id, isStored) }
}
