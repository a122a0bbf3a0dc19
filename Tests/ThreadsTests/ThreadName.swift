import Foundation

enum ThreadName {
    /// Name of the calling thread.
    static var own: String {
        let text = try? String(contentsOfFile: "/proc/thread-self/comm", encoding: .utf8)
        return text?.trimmingCharacters(in: .newlines) ?? ""
    }
}
