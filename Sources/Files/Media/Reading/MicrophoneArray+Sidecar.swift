public import Binaural

extension MicrophoneArray {
    /// Reads the positions of microphones from a file, in the form of those beside recordings; nil when it has none.
    ///
    /// - Parameter channels: the number of microphones that it has to have.
    /// - Throws: ``MediaError``, also for a file that does not exist.
    public init?(sidecar path: String, channels: Int) throws(MediaError) {
        guard let array = try ArraySidecar.read(path: path, channels: channels) else { return nil }
        self = array
    }

    /// Checks a file with positions of microphones, whose recording is not known.
    public static func check(sidecar path: String) throws(MediaError) { try ArraySidecar.check(path: path) }
}
