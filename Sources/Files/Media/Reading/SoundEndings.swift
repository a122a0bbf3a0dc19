/// Endings of the names of sound files that can be read: of recordings, sounds of objects, music and impulse responses.
public enum SoundEndings {
    /// In small letters, in the order of lists.
    public static let all = ["wav", "wave", "bwf", "bw64", "rf64", "w64", "caf", "aif", "aiff", "aifc", "flac"]

    private static let known = Set(all)

    /// Whether an ending, in any letters, is one of a sound file.
    public static func contain(_ ending: String) -> Bool { known.contains(ending.lowercased()) }
}
