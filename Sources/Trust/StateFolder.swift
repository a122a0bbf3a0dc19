internal import Foundation

/// Folder of this program's persistent state: `$XDG_STATE_HOME/vestibule`, or `~/.local/state/vestibule`.
public enum StateFolder {
    public static var path: String {
        // Relative paths are to be ignored (XDG Base Directory Specification).
        let given = ProcessInfo.processInfo.environment["XDG_STATE_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
        return (given ?? NSHomeDirectory() + "/.local/state") + "/vestibule"
    }
}
