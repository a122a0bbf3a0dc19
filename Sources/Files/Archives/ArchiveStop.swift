/// The end of a cancelled export or import.
struct ArchiveStop: Error {}
