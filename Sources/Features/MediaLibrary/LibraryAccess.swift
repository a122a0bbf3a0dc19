public import FileOutput
internal import Web

/// The media library as the web server serves it. Every function is called on the loop.
public struct LibraryAccess {
    /// The list in JSON; nil until it is known.
    public var list: () -> [UInt8]? = { nil }
    /// A part of that list in JSON; nil until it is known.
    public var page: (_ query: LibraryQuery) -> [UInt8]? = { _ in nil }
    /// The folder of a file; nil for none.
    public var folder: (_ place: String, _ name: String) -> String? = { _, _ in nil }
    /// The spectrogram of a sound; nil until it is known.
    public var spectrogram: (_ place: String, _ name: String) -> (any Encodable)? = { _, _ in nil }
    /// Files that clients with control rights may send.
    public var accepted: [AcceptedFiles] = []
    /// Promises room to an incoming file, and returns whether there is room; nil until that is known.
    public var promise: (_ bytes: Int64, _ id: String) -> Bool? = { _, _ in true }
    /// Renews the promise of room to an upload that began in the last run.
    public var renew: (_ bytes: Int64, _ id: String) -> Void = { _, _ in }
    /// Ends a promise.
    public var end: (_ id: String, _ isStored: Bool) -> Void = { _, _ in }

    public init() {}
}

/// A folder that is served, and the list of its contents.
public struct ListedFolder {
    /// Path; nil serves none.
    public var path: String?
    /// The list in JSON, called on the loop; nil until it is known.
    public var list: () -> [UInt8]? = { nil }

    public init(_ path: String? = nil, list: @escaping () -> [UInt8]? = { nil }) {
        self.path = path
        self.list = list
    }
}

/// Promises room in the media library to uploads: the full size of each, from its beginning to its end. Used on the control thread.
package struct UploadRoom {
    private let library: LibraryAccess

    package init(_ library: LibraryAccess) { self.library = library }

    /// Promises room to a file, unless all that is promised would not fit.
    /// - Returns: the answer when there is no room; nil when there is.
    func promise(_ bytes: Int, to id: String) -> Response? {
        switch library.promise(Int64(bytes), id) {
        case nil: .text(503, "the library is being read; try again in a second")
        case false?: .text(413, "the library would exceed its limit (--library-limit); delete files, and empty the trash, first")
        case true?: nil
        }
    }

    /// Renews the promise of room to an upload that began in the last run.
    func restore(_ bytes: Int, to id: String) { library.renew(Int64(bytes), id) }

    /// Ends a promise.
    /// - Parameter isStored: whether the file was stored.
    func end(_ id: String, isStored: Bool) { library.end(id, isStored) }
}
