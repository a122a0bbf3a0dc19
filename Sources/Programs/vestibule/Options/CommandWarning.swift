import Foundation
import Hub

/// Writes a warning of a command on standard error, so that standard output has results only.
@Sendable func warn(_ text: String) { FileHandle.standardError.write(Data("warning: \(LogText.escaped(text))\n".utf8)) }

/// Writes warnings, each once: a file may be used several times.
func warnOnce(_ texts: [String]) {
    var known: Set<String> = []
    for text in texts where known.insert(text).inserted { warn(text) }
}
