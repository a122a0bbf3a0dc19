/// The refusal of sound files that are shorter than their headers announce, where they can still be copied again.
public enum CutFile {
    /// - Throws: ``MediaError`` when this is not a sound file, or one that is cut short.
    public static func refuse(path: String) throws(MediaError) {
        let file = try SoundFile(path: path)
        if file.isCut, let warning = file.warnings.first { throw MediaError(warning) }
    }
}
