internal import Foundation

extension TrackerProfile {
    /// Reads a profile of the user's own from a JSON file.
    /// - Throws: ``TrackerProfileError``.
    public init(path: String) throws(TrackerProfileError) {
        let data: Data
        do { data = try Data(contentsOf: URL(filePath: path)) } catch {
            throw TrackerProfileError(
                path: path, field: nil, reason: "the file cannot be read",
                remedy: "name a JSON file that exists; `vestibule trackers iem > mine.json` writes one to begin with")
        }
        do { self = try JSONDecoder().decode(Self.self, from: data) } catch let error as DecodingError {
            throw TrackerProfileError(error, path: path)
        } catch {
            throw TrackerProfileError(path: path, field: nil, reason: "\(error)", remedy: "mend it there")
        }
    }
}
