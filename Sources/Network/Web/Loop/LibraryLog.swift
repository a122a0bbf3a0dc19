internal import CWebSockets
internal import Synchronization

/// The errors of libwebsockets, which has one log for the whole process.
enum LibraryLog {
    private static let lines = Mutex<[String]>([])
    private static let mostLines = 32

    static func install() {
        lws_set_log_level(Int32(LLL_ERR)) { _, line in
            if let line { LibraryLog.add(String(cString: line)) }
        }
    }

    private static func add(_ line: String) {
        lines.withLock { if $0.count < mostLines { $0.append(line) } }
    }

    /// Removes and returns the errors since the last call.
    static func drain() -> [String] {
        lines.withLock { lines in
            let taken = lines.map { String($0.drop { $0 == "[" || $0.isNumber }.trimmingNewline) }
            lines.removeAll()
            return taken
        }
    }
}

extension Substring {
    fileprivate var trimmingNewline: Substring { last == "\n" ? dropLast() : self }
}
