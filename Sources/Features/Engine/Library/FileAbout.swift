import FileOutput
import Files
import Foundation
import Media

/// The user's description of a file of the library, stored beside it.
package struct FileAbout: Codable, Sendable, Equatable {
    package var title: String?
    package var text: String?
    package var tags: [String]?
    /// Ending of the picture's name; nil for none. It is not part of the description, but found beside it.
    package var cover: String?
    /// Time of the picture's last change, for its address.
    package var coverChanged: Int?

    private enum CodingKeys: String, CodingKey {
        case title, text, tags
    }

    /// Maximum number of characters of the title, the text and a tag, and of tags.
    private static let (longestTitle, longestText, longestTag, mostTags) = (200, 4000, 40, 20)
    /// Maximum size of the description's file in bytes.
    static let most = 65_536

    package func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: ShownKeys.self)
        try fields.encodeIfPresent(title, forKey: .title)
        try fields.encodeIfPresent(text, forKey: .text)
        try fields.encodeIfPresent(tags, forKey: .tags)
        try fields.encodeIfPresent(cover, forKey: .cover)
        try fields.encodeIfPresent(coverChanged, forKey: .coverChanged)
    }

    private enum ShownKeys: String, CodingKey {
        case title, text, tags, cover, coverChanged
    }

    var isEmpty: Bool { title == nil && text == nil && tags == nil }

    // MARK: Checks

    /// The description without surrounding spaces, empty texts and duplicate tags.
    /// - Throws: `RequestError` for texts that are too long or have control characters.
    func checked() throws -> FileAbout {
        func words(_ given: String?, _ name: String, _ most: Int, isLine: Bool = true) throws -> String? {
            guard let text = given?.trimmingCharacters(in: .whitespacesAndNewlines), !text.isEmpty else { return nil }
            guard text.count <= most else { throw RequestError("the \(name) has \(text.count) characters; at most \(most) are possible") }
            let isPrintable = text.unicodeScalars.allSatisfy {
                ($0.value >= 32 && !(127..<160).contains($0.value)) || (!isLine && $0 == "\n")
            }
            guard isPrintable else { throw RequestError("the \(name) has control characters") }
            return text
        }
        var about = FileAbout()
        about.title = try words(title, "title", Self.longestTitle)
        about.text = try words(text, "text", Self.longestText, isLine: false)
        var found: [String] = []
        for tag in try (tags ?? []).compactMap({ try words($0, "tag", Self.longestTag) }) where !found.contains(tag) {
            guard !tag.contains(",") else { throw RequestError("tags have no commas: \"\(tag)\"") }
            found.append(tag)
        }
        guard found.count <= Self.mostTags else {
            throw RequestError("there are \(found.count) tags; at most \(Self.mostTags) are possible")
        }
        about.tags = found.isEmpty ? nil : found
        return about
    }

    /// - Throws: the reason why the file at a path is not such a description.
    static func check(_ path: String) throws { _ = try read(path).checked() }

    /// Reads the description in a file.
    static func read(_ path: String) throws -> FileAbout {
        let bytes = try RegularFile(path, followsLinks: false).bytes(atMost: most)
        do { return try JSONDecoder().decode(FileAbout.self, from: Data(bytes)) } catch {
            throw RequestError("\(path) is not a description in JSON with title, text and tags; remove it, and write it again")
        }
    }
}

/// A client's change of the description and picture of a file: omitted fields stay as they are, and null removes a field.
struct AboutChange: Decodable, Sendable {
    /// Place and name, such as `recordings/garden.wav`.
    let file: String
    private var title: String??
    private var text: String??
    private var tags: [String]??
    /// Name of a picture that was sent.
    private(set) var cover: String??

    private enum CodingKeys: String, CodingKey {
        case file, title, text, tags, cover
    }

    init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        func value<Value: Decodable>(_ key: CodingKeys, _ type: Value.Type) throws -> Value?? {
            guard fields.contains(key) else { return nil }
            return .some(try fields.decodeNil(forKey: key) ? nil : fields.decode(type, forKey: key))
        }
        file = try fields.decode(String.self, forKey: .file)
        title = try value(.title, String.self)
        text = try value(.text, String.self)
        tags = try value(.tags, [String].self)
        cover = try value(.cover, String.self)
    }

    /// - Throws: `RequestError` for anything other than such a JSON object.
    init(json: String) throws {
        do { self = try JSONDecoder().decode(AboutChange.self, from: Data(json.utf8)) } catch {
            throw RequestError(
                "the description of a file is a JSON object such as {\"file\":\"recordings/garden.wav\",\"title\":\"Garden\","
                    + "\"text\":\"…\","
                    + "\"tags\":[\"birds\"],\"cover\":\"garden.jpg\"}")
        }
    }

    /// Writes the description and the picture beside the file. For threads that may wait.
    /// - Parameters:
    ///   - path: of the file that they are about.
    ///   - pictures: kind of the pictures that clients send.
    func write(_ path: String, pictures: AcceptedFiles) throws {
        guard FilePlace.isTaken(path) else { throw RequestError("there is no file \(file); /library lists them") }
        let words = AboutFiles.path(of: path, AboutFiles.words)
        var about = FilePlace.isTaken(words) ? (try? FileAbout.read(words)) ?? FileAbout() : FileAbout()
        if let title { about.title = title }
        if let text { about.text = text }
        if let tags { about.tags = tags }
        about = try about.checked()
        try FileManager.default.createDirectory(
            atPath: FilePlace.equivalent(FilePlace.folder(of: words)), withIntermediateDirectories: true)
        if let cover { try place(cover, path, pictures) }
        guard !about.isEmpty else { return PartialFile.remove(words) }
        do { try OutputFile.write([UInt8](JSONEncoder.file.encode(about)), to: words, existing: .replaced, isSynced: true) } catch {
            throw RequestError("the description of \(file) was not written: \((error as? OutputError)?.reason ?? "\(error)")")
        }
    }

    /// Replaces the previous picture by one that was sent.
    private func place(_ name: String?, _ path: String, _ pictures: AcceptedFiles) throws {
        var new: (from: String, ending: String)?
        if let name {
            if let problem = pictures.problem(name) { throw RequestError("the picture is refused: \(problem)") }
            let from = pictures.folder + "/" + name
            guard FilePlace.isTaken(from) else { throw RequestError("there is no picture \(name); first upload it to /files/covers") }
            try CoverPicture.check(path: from)
            new = (from, name[name.index(after: name.lastIndex(of: ".") ?? name.startIndex)...].lowercased())
        }
        if let new {
            // A copy: the folder of the file may be on another disk.
            let bytes = try RegularFile(new.from, followsLinks: false).bytes(atMost: CoverPicture.most)
            try OutputFile.write(bytes, to: AboutFiles.path(of: path, new.ending), existing: .replaced)
            PartialFile.remove(new.from)
        }
        for ending in AboutFiles.pictures where ending != new?.ending { PartialFile.remove(AboutFiles.path(of: path, ending)) }
    }
}
