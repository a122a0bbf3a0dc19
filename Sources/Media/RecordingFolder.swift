internal import Foundation
internal import Parameters

/// The folders recordings lie in: which mono files make one recording, which name was probably meant.
enum RecordingFolder {
    /// Endings of the files that a folder recording is made of.
    static let endings: Set<String> = ["wav", "wave", "bwf", "rf64", "w64", "caf", "aif", "aiff", "aifc", "flac"]

    static func isFolder(_ path: String) -> Bool {
        var folder: ObjCBool = false
        return FileManager.default.fileExists(atPath: path, isDirectory: &folder) && folder.boolValue
    }

    /// Paths of the folder's sound files, one per microphone, by the numbers in their names.
    static func soundFiles(in folder: String) throws(MediaError) -> [String] {
        let names: [String]
        do {
            names = try FileManager.default.contentsOfDirectory(atPath: folder)
        } catch {
            throw MediaError("\(folder) cannot be opened: \(error.localizedDescription)")
        }
        return names.filter { !$0.hasPrefix(".") && endings.contains(ending($0)) }
            .sorted(by: NaturalOrder.precedes)
            .map { folder.hasSuffix("/") ? folder + $0 : folder + "/" + $0 }
    }

    /// What to say of names that are numbered alike, but not in even steps: a microphone may be missing.
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
        return "Between \(names[wide]) and \(names[wide + 1]) a number is left out; is a microphone missing?"
    }

    /// What to say of a path where nothing is.
    static func missing(_ path: String) -> MediaError {
        let url = URL(fileURLWithPath: path)
        let folder = url.deletingLastPathComponent().path
        guard let names = try? FileManager.default.contentsOfDirectory(atPath: folder) else {
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
