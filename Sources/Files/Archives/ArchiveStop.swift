/// Error that ends a cancelled export or import.
struct ArchiveStop: Error {}
