/// The relation between the length of the sound that a file's header states and the sound that is there.
enum SoundLength: Equatable {
    case asStated
    /// The header states no length: 0, or the largest possible one. Everything up to the end of the file is sound.
    case unstated(isZero: Bool)
    /// The header states more than is there, in bytes or frames.
    case cut(stated: Int, there: Int, unit: String)
    /// The size does not fit into 32 bits, and the header states its lower 32.
    case wrapped
    /// Bytes follow the stated end that belong to no chunk.
    case followed(bytes: Int)

    /// The fault of a file with less sound than its header states; nil for others.
    func cut(_ path: String) -> String? {
        guard case .cut(let stated, let there, let unit) = self else { return nil }
        return "\(path) is truncated: its header announces \(counted(stated, unit)) of sound, the file has \(there)."
    }

    /// - Parameters:
    ///   - bytes: the size of the sound that is played.
    ///   - seconds: its duration.
    func warning(_ path: String, bytes: Int, seconds: Double) -> String? {
        let seconds = (seconds * 1000).rounded() / 1000
        let all = "All \(counted(bytes, "byte")) (\(seconds) s) are played."
        switch self {
        case .asStated: return nil
        case .unstated(isZero: true):
            return "\(path) was not finished by its recorder: its header states 0 bytes of sound. \(all)"
        case .unstated(isZero: false):
            return "\(path) has no length in its header: it was written to a pipe, or not finished by its recorder. \(all)"
        case .cut: return cut(path).map { "\($0) The available \(seconds) s are played." }
        case .wrapped:
            return "\(path) is larger than its header can state: WAV has 32 bits for the size, RF64 has 64. \(all)"
        case .followed(let more):
            return "\(path) goes on for \(counted(more, "byte")) after the end of the sound that its header states. They may be sound, "
                + "but are not played, only the stated \(seconds) s."
        }
    }
}
