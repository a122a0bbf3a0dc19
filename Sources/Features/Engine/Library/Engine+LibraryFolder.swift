extension Engine {
    /// Path of the folder of the file at `/library/PLACE/NAME`; nil for none. Does not check whether the file exists.
    ///
    /// While a listening test is running, nobody may read its conditions.
    package func libraryFolder(of place: String, for name: String) -> String? {
        if tests.isBlind, place == ClientFiles.Kind.tests.rawValue { return nil }
        return libraries.archives.folder(of: place) ?? libraries.library.folder(of: place, for: name)
    }
}
