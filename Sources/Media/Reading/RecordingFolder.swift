internal import FileOutput
internal import Foundation
internal import Parameters

/// Folders of recordings: finds the mono files of a folder recording, and suggests names for missing paths.
enum RecordingFolder {
    /// Extensions of sound files in a folder recording.
    static let endings: Set<String> = ["wav", "wave", "bwf", "rf64", "w64", "caf", "aif", "aiff", "aifc", "flac"]

    static func isFolder(_ path: String) -> Bool {
        var folder: ObjCBool = false
        return FileManager.default.fileExists(atPath: FilePlace.equivalent(path), isDirectory: &folder) && folder.boolValue
    }

    /// Returns the paths of the folder's sound files, one per microphone, ordered by the numbers in their names.
    static func soundFiles(in folder: String) throws(MediaError) -> [String] {
        let names: [String]
        do {
            names = try FileManager.default.contentsOfDirectory(atPath: FilePlace.equivalent(folder))
        } catch {
            throw MediaError("\(folder) cannot be opened: \(error.localizedDescription)")
        }
        return names.filter { !$0.hasPrefix(".") && endings.contains(ending($0)) }
            .sorted(by: NaturalOrder.precedes)
            .map { folder.hasSuffix("/") ? folder + $0 : folder + "/" + $0 }
    }

    /// Warning about names that are numbered in uneven steps, as a microphone may be missing.
    static func gap(in paths: [String]) -> String? {
        let names = paths.map { ($0 as NSString).lastPathComponent }
        let pieces = names.map(NaturalOrder.pieces)
        guard let first = pieces.first, pieces.allSatisfy({ $0.count == first.count }) else { return nil }
        let differing = first.indices.filter { place in pieces.contains { $0[place] != first[place] } }
        guard differing.count == 1, let place = differing.first else { return nil }
        let numbers = pieces.compactMap { if case .number(let text) = $0[place] { Int("0" + text) } else { nil } }
        guard numbers.count == names.count, numbers.count > 2 else { return nil }
        let steps = zip(numbers.dropFirst(), numbers).map { $0 - $1 }
        guard let usual = steps.min(), let wide = steps.firstIndex(where: { $0 != usual }) else { return nil }
        return "A number is missing between \(names[wide]) and \(names[wide + 1]). Check that no microphone is missing."
    }

    /// Error for a path that does not exist.
    static func missing(_ path: String) -> MediaError {
        let url = URL(fileURLWithPath: path)
        let folder = url.deletingLastPathComponent().path
        guard let names = try? FileManager.default.contentsOfDirectory(atPath: FilePlace.equivalent(folder)) else {
            return MediaError("\(path) does not exist, nor does the folder \(folder). Check the path.")
        }
        let likely = NearestName.find(url.lastPathComponent, among: names.sorted())
        let hint = likely.map { " Did you mean \($0)?" } ?? " Check the path."
        return MediaError("\(path) does not exist.\(hint)")
    }

    private static func ending(_ name: String) -> String {
        (name as NSString).pathExtension.lowercased()
    }
}
