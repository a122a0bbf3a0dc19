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
