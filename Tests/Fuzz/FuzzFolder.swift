import Foundation

/// The only folder that a fuzzer writes to: in memory, and removed when the process ends.
enum FuzzFolder {
    /// Path of the folder, which is made when it is first asked for.
    static let path: String = {
        let path = "/dev/shm/vestibule-fuzz-\(getpid())"
        try? FileManager.default.removeItem(atPath: path)
        do { try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true) } catch {
            fatalError("\(path) cannot be made: \(error)")
        }
        atexit { try? FileManager.default.removeItem(atPath: FuzzFolder.path) }
        return path
    }()
}
