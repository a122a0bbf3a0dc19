internal import FileOutput
internal import Foundation
internal import Parameters

/// Folders of recordings: finds the mono files of a folder recording, and suggests names for missing paths.
enum RecordingFolder {
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
        return names.filter { !$0.hasPrefix(".") && SoundEndings.contain(ending($0)) }
            .sorted(by: NaturalOrder.precedes)
            .map { folder.hasSuffix("/") ? folder + $0 : folder + "/" + $0 }
    }

    /// The microphones of a folder recording.
    struct Microphones {
        /// Paths in their order.
        let paths: [String]
        let warnings: [String]
    }

    /// Returns the files of a folder that are microphones: those that the file beside the recording names, or all where it describes as
    /// many, or those whose names differ by a number only.
    /// - Parameter sidecar: path of the file with the microphones' positions; nil for the one in the folder.
    static func microphones(in folder: String, sidecar: String?) throws(MediaError) -> Microphones {
        let geometry = try ArraySidecar.geometry(recording: folder, sidecar)
        let folder = folder.hasSuffix("/") ? String(folder.dropLast()) : folder
        let description = sidecar ?? SceneDescription.sidecar(of: folder)
        if let names = geometry?.files { return Microphones(paths: try paths(names, in: folder, description), warnings: []) }
        let all = try soundFiles(in: folder)
        let isDescribed = (geometry?.azimuths?.count ?? geometry?.count) == all.count
        // Fewer or more are refused by their number.
        guard !isDescribed, all.count >= RecordingReader.channelRange.lowerBound else {
            return Microphones(paths: all, warnings: gap(in: all).map { [$0] } ?? [])
        }
        let remedy = "list the microphones' files in \(FilePlace.name(of: description)): {\"array\": {\"files\": […]}}"
        let chosen: MicrophoneNames
        do throws(MicrophoneNames.Problem) {
            chosen = try MicrophoneNames(all.map(FilePlace.name), least: RecordingReader.channelRange.lowerBound)
        } catch {
            throw MediaError(
                "\(folder): \(error.text), so it is not clear which of them are microphones. Move the others to another folder, or \(remedy)."
            )
        }
        let microphones = Set(chosen.microphones)
        let paths = all.filter { microphones.contains(FilePlace.name(of: $0)) }
        let (others, first) = (chosen.others, chosen.microphones[0])
        let verb = others.count == 1 ? "is not a microphone, as the name differs" : "are not microphones, as the names differ"
        let warning =
            "\(folder): \(MicrophoneNames.list(others)) \(verb) from \(first) by more than a number. The other \(paths.count) files are "
            + "played; to change that, rename files, or \(remedy)."
        return Microphones(paths: paths, warnings: (others.isEmpty ? [] : [warning]) + (gap(in: paths).map { [$0] } ?? []))
    }

    /// The files that a description names.
    private static func paths(_ names: [String], in folder: String, _ description: String) throws(MediaError) -> [String] {
        var paths: [String] = []
        for (index, name) in names.enumerated() {
            let path = folder + "/" + name
            guard !name.isEmpty, !name.hasPrefix("."), !name.contains("/"), FilePlace.isThere(path) else {
                throw ArraySidecar.wrong(
                    description, "array.files.\(index + 1) is \"\(name.prefix(80))\", but there is no such file in the folder")
            }
            guard !paths.contains(path) else { throw ArraySidecar.wrong(description, "array.files names \(name) twice") }
            paths.append(path)
        }
        return paths
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

/// The sound files of a folder that are microphones by their names: those whose names differ by a number or a single letter only.
///
/// A mix, a slate or a copy beside them would otherwise become a microphone.
struct MicrophoneNames {
    /// The reason why no files can be chosen.
    struct Problem: Error {
        let text: String
    }

    /// In the order in which they were given.
    let microphones: [String]
    /// Names that differ from those by more.
    let others: [String]

    /// - Parameters:
    ///   - names: in natural order.
    ///   - least: number of microphones that a recording has at least.
    init(_ names: [String], least: Int) throws(Problem) {
        let groups = Dictionary(grouping: names.map(Name.init), by: \.shape).values.sorted { $0.count > $1.count }
        guard let most = groups.first, most.count >= least else {
            let some = names.prefix(3).joined(separator: ", ")
            throw Problem(text: "the names of its sound files differ by more than a number (\(some), …)")
        }
        if groups.count > 1, groups[1].count == most.count {
            throw Problem(text: "it holds several series of files, such as \(Self.list([most[0].text, groups[1][0].text]))")
        }
        if let (one, other) = Self.twins(most) {
            let reason = one.values == other.values ? "have the same number" : "belong to different series"
            throw Problem(text: "\(Self.list([one.text, other.text])) \(reason)")
        }
        let chosen = Set(most.map(\.text))
        microphones = names.filter(chosen.contains)
        others = names.filter { !chosen.contains($0) }
    }

    /// Names in a sentence: "a, b and c".
    static func list(_ names: [String]) -> String {
        names.count < 2 ? names.first ?? "" : "\(names.dropLast().joined(separator: ", ")) and \(names[names.count - 1])"
    }

    /// Two names that no single number, letter, or letter and number side by side, distinguishes; nil where one distinguishes all.
    private static func twins(_ names: [Name]) -> (Name, Name)? {
        let places = names[0].values.indices
        func key(_ name: Name, _ place: Int) -> [String] { [name.values[place]] }
        func pair(_ name: Name, _ place: Int) -> [String] { [name.values[place], name.values[place + 1]] }
        func areDistinct(_ key: (Name) -> [String]) -> Bool { Set(names.map(key)).count == names.count }
        if places.contains(where: { place in areDistinct { key($0, place) } }) { return nil }
        let pairs = places.dropLast().filter { place in names.allSatisfy { $0.joined.contains(place + 1) } }
        if pairs.contains(where: { place in areDistinct { pair($0, place) } }) { return nil }
        for (index, name) in names.enumerated() {
            if let equal = names[..<index].first(where: { $0.values == name.values }) { return (equal, name) }
        }
        let varying = places.last { place in Set(names.map { $0.values[place] }).count > 1 } ?? 0
        for (index, name) in names.enumerated() {
            if let equal = names[..<index].first(where: { key($0, varying) == key(name, varying) }) { return (equal, name) }
        }
        return names.count > 1 ? (names[0], names[1]) : nil
    }

    /// A name in its parts: what all microphones have in common, and what differs.
    private struct Name {
        let text: String
        /// The name in lower case without its ending and separators, with # for numbers and @ for single letters.
        let shape: String
        /// Numbers without leading zeros, with the sign before them, and single letters.
        let values: [String]
        /// Places in ``values`` that follow the previous one immediately.
        let joined: Set<Int>

        init(_ text: String) {
            self.text = text
            var (shape, values, joined) = ("", [String](), Set<Int>())
            var rest = (text as NSString).deletingPathExtension.precomposedStringWithCanonicalMapping.lowercased()[...]
            // The sign that may belong to the next number, and whether the last piece was a value.
            var (sign, follows) = ("", false)
            while let first = rest.first {
                let digits = rest.prefix { ("0"..."9").contains($0) }
                let letters = rest.prefix(while: \.isLetter)
                let length = max(1, digits.count, letters.count)
                if !digits.isEmpty || letters.count == 1 {
                    if follows { joined.insert(values.count) }
                    let number = digits.drop { $0 == "0" }
                    values.append(digits.isEmpty ? String(letters) : sign + (number.isEmpty ? "0" : number))
                    shape += digits.isEmpty ? "@" : "#"
                    follows = true
                } else {
                    if !" _-+.".contains(first) { shape += rest.prefix(length) }
                    follows = false
                }
                sign = "-+".contains(first) ? String(first) : ""
                rest = rest.dropFirst(length)
            }
            (self.shape, self.values, self.joined) = (shape, values, joined)
        }
    }
}
