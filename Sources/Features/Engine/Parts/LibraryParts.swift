import Hub
import Render

/// The files of the installation: the media library, archives, takes, and downloads of files that a followed engine uses.
package struct LibraryParts {
    package let library: Library
    package let archives: ArchiveControl
    package let takes: Takes
    /// Nil if files of a followed engine are not fetched.
    let fetcher: MediaFetcher?

    func connect() {
        takes.connect()
        library.connect()
        archives.connect()
    }

    func tick() {
        takes.tick()
        library.tick()
        archives.tick()
    }

    /// Stops takes and background work; downloads stop later, by `fetcher`.
    func stop() {
        takes.stop()
        library.stop()
        archives.stop()
    }
}
