/// The writing of a file for a client's message, on a thread that may wait.
package final class FileWriting: Hashable, Sendable {
    private let body: @Sendable () throws -> ReadFiles.Contents

    /// - Parameter body: writes the file, and returns what the handler needs of it.
    init(_ body: @escaping @Sendable () throws -> ReadFiles.Contents) { self.body = body }

    func contents() throws -> ReadFiles.Contents { try body() }

    package static func == (one: FileWriting, other: FileWriting) -> Bool { one === other }

    package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
