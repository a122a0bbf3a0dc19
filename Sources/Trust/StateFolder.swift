internal import Foundation

/// Where this program keeps what it has to remember: `$XDG_STATE_HOME/vestibule`, or `~/.local/state/vestibule`.
public enum StateFolder {
    public static var path: String {
        // The XDG base directory specification: relative paths are to be ignored.
        let given = ProcessInfo.processInfo.environment["XDG_STATE_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
        return (given ?? NSHomeDirectory() + "/.local/state") + "/vestibule"
    }
}
