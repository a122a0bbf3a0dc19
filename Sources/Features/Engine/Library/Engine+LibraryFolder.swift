extension Engine {
    /// Path of the folder of the file at `/library/PLACE/NAME`; nil for none. Whether the file exists is not asked.
    ///
    /// While a listening test is under way nobody may read its conditions.
    package func libraryFolder(of place: String, for name: String) -> String? {
        if tests.isBlind, place == ClientFiles.Kind.tests.rawValue { return nil }
        return libraries.archives.folder(of: place) ?? libraries.library.folder(of: place, for: name)
    }
}
