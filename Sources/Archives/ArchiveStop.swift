/// The end of an export or import that is not wanted any more.
struct ArchiveStop: Error {}
