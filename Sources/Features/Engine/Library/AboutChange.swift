import FileOutput
import Files
import Foundation
import Media

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
