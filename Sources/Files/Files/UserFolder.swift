internal import Foundation

/// This program's folders below the user's home, by the XDG Base Directory Specification 0.8.
public enum UserFolder {
    /// `$XDG_DATA_HOME/vestibule`, or `~/.local/share/vestibule`: the user's recordings, sessions and other files.
    public static var data: String { path("XDG_DATA_HOME", or: ".local/share") }
    /// `$XDG_CACHE_HOME/vestibule`, or `~/.cache/vestibule`: results that can be computed again.
    public static var cache: String { path("XDG_CACHE_HOME", or: ".cache") }
    /// `$XDG_STATE_HOME/vestibule`, or `~/.local/state/vestibule`: tokens, clients, certificates and measured delays.
    public static var state: String { path("XDG_STATE_HOME", or: ".local/state") }

    private static func path(_ variable: String, or usual: String) -> String {
        // The specification asks to ignore relative paths.
        let given = ProcessInfo.processInfo.environment[variable].flatMap { $0.hasPrefix("/") ? $0 : nil }
        return (given ?? NSHomeDirectory() + "/" + usual) + "/vestibule"
    }
}
