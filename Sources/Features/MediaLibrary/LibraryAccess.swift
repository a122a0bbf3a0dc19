public import FileOutput

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
    /// Promises room to a file that is on its way: whether there is room; nil until that is known.
    public var promise: (_ bytes: Int64, _ id: String) -> Bool? = { _, _ in true }
    /// Promises room to an upload of the last run, to which it was promised then.
    public var renew: (_ bytes: Int64, _ id: String) -> Void = { _, _ in }
    /// Ends a promise.
    public var end: (_ id: String, _ isStored: Bool) -> Void = { _, _ in }

    public init() {}
}
