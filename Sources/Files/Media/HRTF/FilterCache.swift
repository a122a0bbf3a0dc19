internal import FileOutput
internal import Files
internal import Foundation

/// A folder of computed filters, in files named after the request and the contents of its SOFA file.
///
/// Damaged files and files of another version are ignored. When the cache is full, the oldest files are removed.
public struct FilterCache: Sendable {
    public let folder: String
    /// Maximum number of files in the cache.
    static let most = 48
    private static let mark: [UInt32] = [0x5645_5354, 0x0001_0001]

    /// - Parameter folder: created on the first write.
    public init(folder: String) { self.folder = folder }

    public static var standard: FilterCache { standard(in: UserFolder.cache) }

    /// The cache in a folder, where earlier releases called it `personal`.
    static func standard(in folder: String) -> FilterCache {
        let cache = FilterCache(folder: "\(folder)/hrtf")
        // Fails when there is nothing to rename, or a cache already.
        try? FileManager.default.moveItem(atPath: "\(folder)/personal", toPath: cache.folder)
        return cache
    }

    private func path(_ key: ContentHash) -> String { "\(folder)/\(key).filters" }

    /// Returns the filters of this name if they have this number of sets and samples.
    public func read(_ key: ContentHash, sets: Int, length: Int) -> [[Float]]? {
        let samples = sets * length
        let header = 4 * (Self.mark.count + 2)
        let size = header + 4 * samples + 32
        guard let file = try? RegularFile(path(key)), file.size == size, let data = try? file.bytes(atMost: size) else { return nil }
        guard data.count == size else { return nil }
        return data.withUnsafeBytes { bytes in
            let numbers = (0..<4).map { bytes.loadUnaligned(fromByteOffset: 4 * $0, as: UInt32.self) }
            guard numbers == Self.mark + [UInt32(sets), UInt32(length)] else { return nil }
            var hash = ContentHash()
            hash.add(UnsafeRawBufferPointer(rebasing: bytes[..<(bytes.count - 32)]))
            guard Array(bytes[(bytes.count - 32)...]) == Array("\(hash)".utf8) else { return nil }
            return (0..<sets).map { set in
                (0..<length).map {
                    bytes.loadUnaligned(fromByteOffset: header + 4 * (set * length + $0), as: Float.self)
                }
            }
        }
    }

    /// Stores filters under `key`; the file is written atomically.
    /// - Throws: ``MediaError`` when the folder cannot be written.
    public func write(_ key: ContentHash, sets: [[Float]]) throws(MediaError) {
        var data = Data()
        for number in Self.mark + [UInt32(sets.count), UInt32(sets.first?.count ?? 0)] {
            withUnsafeBytes(of: number) { data.append(contentsOf: $0) }
        }
        for set in sets { set.withUnsafeBytes { data.append(contentsOf: $0) } }
        var hash = ContentHash()
        data.withUnsafeBytes { hash.add($0) }
        data.append(contentsOf: Array("\(hash)".utf8))
        do {
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            try OutputFile.write([UInt8](data), to: path(key), existing: .replaced)
        } catch {
            throw MediaError("Filters cannot be stored in \(folder): \((error as? OutputError)?.reason ?? error.localizedDescription)")
        }
        removeOldest()
    }

    private func removeOldest() {
        let folder = URL(filePath: folder)
        let files =
            (try? FileManager.default.contentsOfDirectory(
                at: folder, includingPropertiesForKeys: [.contentModificationDateKey]))?.filter { $0.pathExtension == "filters" }
        guard let files, files.count > Self.most else { return }
        let dated = files.map { file in
            (file, (try? file.resourceValues(forKeys: [.contentModificationDateKey]))?.contentModificationDate ?? .distantPast)
        }
        for (file, _) in dated.sorted(by: { $0.1 < $1.1 }).dropLast(Self.most) {
            try? FileManager.default.removeItem(at: file)
        }
    }
}

/// A name for the contents of a file, by which results computed from it are found again: FNV-1a with 128 bits (Fowler,
/// Noll, Vo).
///
/// Not cryptographic: it does not protect against deliberate collisions.
public struct ContentHash: Sendable, Equatable, CustomStringConvertible {
    private var state: UInt128 = 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d

    public init() {}

    public mutating func add(_ bytes: UnsafeRawBufferPointer) {
        var hash = state
        for byte in bytes { hash = (hash ^ UInt128(byte)) &* 0x0000_0000_0100_0000_0000_0000_0000_013b }
        state = hash
    }

    public mutating func add(_ text: String) {
        var text = text
        text.withUTF8 { add(UnsafeRawBufferPointer($0)) }
    }

    /// The hash as 32 hexadecimal digits.
    public var description: String {
        let digits = String(state, radix: 16)
        return String(repeating: "0", count: 32 - digits.count) + digits
    }
}
