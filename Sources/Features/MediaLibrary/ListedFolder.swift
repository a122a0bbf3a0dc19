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
