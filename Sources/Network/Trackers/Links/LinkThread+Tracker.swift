internal import Links
internal import Threads

extension LinkThread {
    /// Starts the thread of a link, as the other initialiser does.
    /// - Parameter tracker: named in errors.
    convenience init(
        tracker: String, name: String, output: Int32, body: @escaping (LinkThread) -> Void
    ) throws(TrackerSourceError) {
        do throws(ThreadError) { try self.init(name: name, output: output, body: body) } catch {
            throw TrackerSourceError(text: tracker, reason: "\(error)")
        }
    }
}
