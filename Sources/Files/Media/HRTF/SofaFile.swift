public import Binaural
internal import Files
internal import Glibc

/// Head-related impulse responses in a SOFA file (AES69), read by libhdf5 in a separate process.
public struct SofaFile: Sendable {
    public let path: String
    public let responses: HeadResponses
    /// Hash of the whole file, by which filters that were designed from it are found again.
    public let hash: ContentHash

    /// Largest size in bytes; a larger file is refused unread.
    static let largest = 1 << 29
    /// Longest time in seconds that reading may take.
    static let timeout: Int32 = 60
    /// Largest allowed gap between neighbouring directions near the horizon, in degrees.
    static let widestGap = 45.0
    /// Elevation in degrees, up or down, that counts as near the horizon.
    private static let near = 30.0

    /// Paths at which libmysofa installs its own responses: an artificial head's (KEMAR, measured at the MIT).
    public static let bundled = ["/usr/share", "/usr/local/share"].map { "\($0)/libmysofa/default.sofa" }

    /// - Parameter path: empty for the responses of libmysofa.
    /// - Throws: ``MediaError`` when the file is not a SOFA file, or lacks two ears, impulse responses or directions
    ///   all around the head.
    public init(path named: String) throws(MediaError) {
        path = try Self.resolved(named)
        let data = try Self.contents(path)
        var hash = ContentHash()
        data.withUnsafeBytes { hash.add($0) }
        do {
            let tables = try SofaTables(data, seconds: Self.timeout)
            responses = try HeadResponses(tables)
            // Earlier releases ignored the position, and cached other filters.
            if tables.variables["ListenerPosition"]?.values.contains(where: { $0 != 0 }) == true { hash.add("position") }
        } catch { throw error.error(path) }
        self.hash = hash
        try Self.check(responses, path)
    }

    /// The path of the file; cheap, for threads that must not wait.
    /// - Throws: ``MediaError`` when the file does not exist, or does not begin like a SOFA file.
    public static func resolved(_ named: String) throws(MediaError) -> String {
        guard named.isEmpty else {
            _ = try opened(named)
            return named
        }
        guard let path = bundled.first(where: { access($0, R_OK) == 0 }) else {
            throw MediaError(
                "The HRTF of libmysofa was not found at \(bundled.joined(separator: " or ")). "
                    + "Install libmysofa, or name a SOFA file.")
        }
        return path
    }

    /// Opens a file and checks its size and its signature.
    private static func opened(_ path: String) throws(MediaError) -> RegularFile {
        let file: RegularFile
        do { file = try RegularFile(path) } catch {
            throw MediaError("\(path) cannot be read: \(error.reason). Name a SOFA file.")
        }
        guard file.size <= largest else {
            throw MediaError("\(path) has more than \(largest >> 20) MiB: too large for an HRTF.")
        }
        try SofaSignature.check(file)
        return file
    }

    private static func contents(_ path: String) throws(MediaError) -> [UInt8] {
        let file = try opened(path)
        do { return try file.bytes(atMost: largest) } catch { throw MediaError("\(error)") }
    }

    /// Refuses responses from which no filters can be designed.
    static func check(_ responses: HeadResponses, _ path: String) throws(MediaError) {
        for (ear, name) in ["left", "right"].enumerated() {
            for direction in 0..<responses.count {
                let row = responses.samples[ear][direction * responses.length..<(direction + 1) * responses.length]
                guard row.contains(where: { abs($0) > 1e-9 }) else {
                    throw MediaError(
                        "\(path) is silent at the \(name) ear for direction \(direction + 1) of \(responses.count): "
                            + "azimuth \(responses.azimuths[direction]), elevation \(responses.elevations[direction]).")
                }
            }
        }
        let around = (0..<responses.count).filter { abs(responses.elevations[$0]) <= near }
            .map { Double(wrapDegrees(Float(responses.azimuths[$0]))) }.sorted()
        let gaps = zip(around, around.dropFirst() + [(around.first ?? 0) + 360]).map { $1 - $0 }
        guard let widest = gaps.max(), widest <= widestGap + 0.01 else {
            throw MediaError(
                "\(path) has \(gaps.max().map { "a gap of \(Int(clamping: $0.rounded())) degrees" } ?? "no directions") near the "
                    + "horizon, but filters need directions all around, at most \(Int(clamping: widestGap)) degrees apart. "
                    + "Use a measurement with more directions.")
        }
    }
}

/// The beginning of a file by which HDF5, on which SOFA is based, and other kinds of files are told apart.
enum SofaSignature {
    static let hdf5: [UInt8] = [0x89, 0x48, 0x44, 0x46, 0x0D, 0x0A, 0x1A, 0x0A]
    /// Offsets at which the signature may follow a user block, which HDF5 allows: 512 times a power of two.
    private static let places = (9...20).map { 1 << $0 }
    private static let download = "Download the SOFA file itself."
    private static let name = "Name a file ending in .sofa."

    /// - Throws: ``MediaError`` with what the file is, if it is not HDF5.
    static func check(_ file: RegularFile) throws(MediaError) {
        func bytes(_ count: Int, at place: Int) -> [UInt8] {
            var bytes = [UInt8](repeating: 0, count: max(0, min(count, file.size - place)))
            return bytes.withUnsafeMutableBytes { file.read(into: $0, at: place) } ? bytes : []
        }
        let beginning = bytes(512, at: 0)
        let isMatlab = beginning.starts(with: "MATLAB 7.3".utf8)
        if !isMatlab, beginning.starts(with: hdf5) || places.contains(where: { bytes(hdf5.count, at: $0) == hdf5 }) { return }
        guard let (kind, remedy) = kind(beginning) else {
            throw MediaError("\(file.path) is not a SOFA file: the HDF5 signature is missing. \(name)")
        }
        throw MediaError("\(file.path) is not a SOFA file, which is HDF5, but \(kind). \(remedy)")
    }

    /// The kind of a file that does not begin like HDF5, and what to do; nil for an unknown kind.
    static func kind(_ beginning: [UInt8]) -> (kind: String, remedy: String)? {
        if beginning.isEmpty { return ("empty", "Copy it again.") }
        if beginning.allSatisfy({ $0 == 0 }) { return ("filled with zero bytes", "Copy it again.") }
        let known: [([UInt8], String, String)] = [
            (Array("MATLAB 5.0".utf8), "a MAT file of MATLAB (version 5)", "Save it from MATLAB or Octave with SOFAsave of SOFAtoolbox."),
            (Array("MATLAB 7.3".utf8), "a MAT file of MATLAB (version 7.3)", "Save it from MATLAB with SOFAsave of SOFAtoolbox."),
            (Array("version https://git-lfs".utf8), "a pointer of Git LFS", "Fetch its content: git lfs pull"),
            (Array("CDF".utf8) + [1], "a file of netCDF's classic format", "Convert it: nccopy -k netCDF-4 old.nc new.sofa"),
            (Array("CDF".utf8) + [2], "a file of netCDF's classic format", "Convert it: nccopy -k netCDF-4 old.nc new.sofa"),
            (Array("CDF".utf8) + [5], "a file of netCDF's classic format", "Convert it: nccopy -k netCDF-4 old.nc new.sofa"),
            ([0x0E, 0x03, 0x13, 0x01], "HDF4", "Convert it to SOFA, which is HDF5."),
            (Array("RIFF".utf8), "a WAVE file", name), (Array("RF64".utf8), "a WAVE file", name),
            (Array("PK".utf8) + [3, 4], "a ZIP archive", "Extract the SOFA file from it."),
            ([0x1F, 0x8B], "compressed by gzip", "Decompress it: gunzip"),
            ([0xFD] + Array("7zXZ".utf8), "compressed by xz", "Decompress it: unxz"),
            (Array("7z".utf8) + [0xBC, 0xAF], "a 7z archive", "Extract the SOFA file from it."),
            (Array("Rar!".utf8), "a RAR archive", "Extract the SOFA file from it."),
            (Array("%PDF".utf8), "a PDF document", name), ([0x89] + Array("PNG".utf8), "a picture", name),
        ]
        if let (_, kind, remedy) = known.first(where: { beginning.starts(with: $0.0) }) { return (kind, remedy) }
        let text = String(decoding: beginning, as: UTF8.self).lowercased().drop { $0.isWhitespace || $0 == "\u{FEFF}" }
        if ["<!doctype html", "<html", "<head"].contains(where: text.hasPrefix) { return ("a web page", download) }
        if text.hasPrefix("<?xml") || text.hasPrefix("<") { return ("an XML document", download) }
        if text.hasPrefix("{") { return ("JSON text", download) }
        return nil
    }
}

/// Reason why a SOFA file is not used, and what helps.
struct SofaRefusal: Error, Equatable {
    /// A clause without a full stop.
    let reason: String
    /// Whole sentences.
    let remedy: String
    /// True only where damage was found, rather than a content that this program does not use.
    let isDamage: Bool

    static let convert = "Convert it to SimpleFreeFieldHRIR, for example with SOFAtoolbox or sofar, or use another file."
    static let another = "Use a file of the convention SimpleFreeFieldHRIR or SimpleFreeFieldHRTF."
    static let copy = "Copy it again, or use another file."

    static func unusable(_ reason: String, _ remedy: String = convert) -> SofaRefusal {
        SofaRefusal(reason: reason, remedy: remedy, isDamage: false)
    }

    static func damaged(_ reason: String, _ remedy: String = copy) -> SofaRefusal {
        SofaRefusal(reason: reason, remedy: remedy, isDamage: true)
    }

    /// The error about the file at a path.
    func error(_ path: String) -> MediaError {
        MediaError("\(path) \(isDamage ? "is damaged" : "cannot be used"): \(reason). \(remedy)")
    }
}
