/// Refuses sound files that are shorter than their headers announce, while they can still be copied again.
public enum CutFile {
    /// - Throws: ``MediaError`` when this is not a sound file, or one that is cut short.
    public static func refuse(path: String) throws(MediaError) {
        if let cut = try SoundFile(path: path).cut { throw MediaError("\(cut) Send the whole file.") }
    }
}
