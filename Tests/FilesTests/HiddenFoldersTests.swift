import Files
import Foundation
import Testing

/// Folders are hidden in texts, and nothing else.
@Suite struct HiddenFoldersTests {
    /// Names that a rule for the ends of names does not see through.
    static let odd = [
        "Hall 2", "Anna's", "a \"b\" c", "x: y; z", "mix, final", "[old] (1) {2}", "Über straße", "e\u{301}tude", "日本 語", "50%&#", "a=b",
        "v1.2",
        "b\\s", "<i>", "…", "-", "tab\tname",
    ]

    private func known(_ folder: String) -> HiddenFolders {
        let folders = HiddenFolders()
        folders.learn(folder)
        return folders
    }

    @Test(arguments: odd) func knownFoldersHaveAnyName(name: String) throws {
        let folder = "/tmp/\(name)/data \(name)"
        let folders = known(folder)
        for text in [
            "\(folder)/a.wav", "the folder \(folder)", "\"\(folder)/a b.wav\" is refused: name a file in \(folder), or start again",
            "\(folder)/a.wav: 1/2 of it; see /object/1/gain", "<\(folder)>", "file:\(folder)/a.wav", "a=\(folder)/x,b=\(folder)/y",
            "\(folder)/sub \(name)/a.wav", "/tmp/\(name)/other/a.wav", "“\(folder)/a.wav”", "\(folder)/a\n\(folder)/b",
        ] {
            let shown = folders.text(text)
            // Of unknown folders in a known one, some names are taken for ends.
            let isSeen = ["-", "…"].contains(name) || text.contains("/sub ") && ["x: y; z", "tab\tname"].contains(name)
            #expect(isSeen || !shown.contains(name), "\(shown)")
            #expect(!shown.contains("data") && !shown.contains("tmp") && shown.contains("…"), "\(shown)")
            #expect(folders.text(shown) == shown, "a second time nothing changes")
            // The same in JSON, with every way to write a slash, and in a text of it.
            var written = try JSONEncoder().encode(["a": [text]])
            for _ in 0..<2 {
                let json = folders.json(Array(written))
                let read = try JSONSerialization.jsonObject(with: Data(json))
                #expect(!"\(read)".contains("data") && !"\(read)".contains("tmp"), "\(read)")
                written = try JSONEncoder().encode([String(decoding: written, as: UTF8.self)])
            }
            let json = folders.json(Array(try JSONEncoder().encode(["a": [text]])))
            #expect(try JSONDecoder().decode([String: [String]].self, from: Data(json)) == ["a": [shown]])
        }
    }

    @Test(arguments: [
        ("/home/anna/Hall/a.wav is truncated", "…/a.wav is truncated"),
        ("/home/anna/My Hall (old), \"new\"/a b.wav: no such file", "…/a b.wav: no such file"),
        ("/mnt/a/b.wav and /mnt/c/d.wav", "…/b.wav and …/d.wav"), ("\"/mnt/a/b.wav\", \"/mnt/c/d.wav\"", "\"…/b.wav\", \"…/d.wav\""),
        ("(/mnt/a/b.wav)", "(…/b.wav)"), ("/mnt/a/b.wav. Read docs/x.md", "…/b.wav. Read docs/x.md"),
        ("//home//anna/x", "…/x"), ("/Users/anna/x", "…/x"), ("/dev/ttyUSB0", "…/ttyUSB0"), ("file:///home/anna/x", "file:…/x"),
        ("{\"a\":\"\\/home\\/anna\\/x\"}", "{\"a\":\"…/x\"}"), ("{\"a\":\"\\u002fhome\\u002Fanna/x\\n\"}", "{\"a\":\"…/x\\n\"}"),
    ])
    func unknownFoldersEndWhereANameIsUnlikelyToGoOn(text: String, shown: String) {
        #expect(HiddenFolders().text(text) == shown)
    }

    @Test(arguments: [
        "", "a", "/", "/object/1/gain", "/object/*/gain", "no address /objct/1; did you mean /object/1?", "/engine/period is 64/48",
        "http://tmp/home/x", "https://media.example/home/anna/x?a=/b", "HTTP://[::1]/tmp/x", "recordings/a.wav", "…/a.wav",
        "and/or /tmpx/y",
        "{\"a\":\"/object/1\"}", "[/object/1", "/media/about", "/media", "/media/1", "x/home/anna", "./home/x",
        "{\"a\": \"\\ud83d\\ude00/\"}",
        "\\u", "{\"\\", "[\"\\u12\"]", "{\"a\":\"\\uD800/\"}",
    ])
    func otherTextsStayAsTheyAre(text: String) {
        let folders = known("/media/usb/recordings")
        folders.spare(["/media/about", "/object/1/gain", "/engine/period"])
        #expect(folders.text(text) == text)
        #expect(folders.json(Array(text.utf8)) == Array(text.utf8))
        #expect(folders.text("/media/usb/recordings/a.wav") == "…/a.wav" && folders.text("/media/x/a.wav") == "…/a.wav")
    }

    @Test(arguments: [
        ("/tmp/Hall 2/a.wav is truncated", "…/a.wav is truncated"), ("\"/tmp/Hall (2)/a.wav\" is refused", "\"…/a.wav\" is refused"),
        ("name a file in /tmp/Hall, or one and/or two", "name a file in …, or one and/or two"),
        ("The folder /tmp/Hall is empty. Read docs/a.md", "The folder … is empty. Read docs/a.md"),
        ("\"/tmp/Hall\" and/or", "\"…\" and/or"), ("/tmp/Hall /tmp/Hall2/a", "… …/a"),
    ])
    func folderNamesMayBeginAsKnownOnes(text: String, shown: String) { #expect(known("/tmp/Hall").text(text) == shown) }

    /// Names that are shortened in a message.
    @Test func shortenedFoldersAreHidden() {
        let folders = known("/tmp/a long name, and more/recordings")
        #expect(folders.text("\"/tmp/a long na\" is refused") == "\"…\" is refused")
        #expect(folders.text("/tmp/a long name, and more/reco… (2000 bytes)") == "…… (2000 bytes)")
    }

    /// Twice the text takes about twice the time: a quadratic scan of this one would not end.
    @Test(arguments: ["/", "/tmp", " /tmp", "/tmp ", "/tmp \"", "/tmp/a b", "\"/", "{\"", "[\"/tmp\",", "…/", "file:///", "/tmp/x: "])
    func longTextsAreReadOnce(part: String) {
        let folders = known("/tmp/tmp/tmp /tmp/ tmp")
        let text = String(repeating: part, count: 200_000 / part.utf8.count)
        #expect(folders.text(text).utf8.count <= 2 * text.utf8.count)
        let list = Array("[\"\(text.replacing("\"", with: "\\\""))\"]".utf8)
        #expect(folders.json(list).count <= 2 * list.count)
    }
}
