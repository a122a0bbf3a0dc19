internal import Files
internal import Foundation

extension TrackerProfile {
    /// Reads a user-defined profile from a JSON file.
    /// - Throws: ``TrackerProfileError``.
    public init(path: String) throws(TrackerProfileError) {
        let data: Data
        do { data = Data(try RegularFile(path).bytes(atMost: RegularFile.largestText)) } catch {
            throw TrackerProfileError(
                path: path, field: nil, reason: "the file cannot be read: \(error.reason)",
                remedy: "specify an existing JSON file; `vestibule trackers iem > mine.json` writes a template")
        }
        do { self = try JSONDecoder().decode(Self.self, from: data) } catch let error as DecodingError {
            throw TrackerProfileError(error, path: path)
        } catch {
            throw TrackerProfileError(path: path, field: nil, reason: "\(error)", remedy: "correct the file at that position")
        }
    }
}
