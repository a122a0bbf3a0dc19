internal import Files

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
