import Engine
import Foundation
import Media

/// A folder of good and damaged files, made at the start.
struct FuzzFiles {
    let folder: URL
    /// Paths to read, and names of sounds, sessions and scenes.
    private(set) var texts: [String] = []
    private var sessions: [String: (content: Data, inode: UInt)] = [:]
    /// Names without a folder, among the texts.
    private var names: [String] = []
    /// Everything that was made at the start.
    private var made: Set<String> = []
    /// Paths and names to write.
    let targets: [String]

    init() throws {
        folder = URL(filePath: FuzzFolder.path)
        targets = ["a", "b", folder.appending(path: "scratch/written").path, folder.appending(path: "missing/written").path]
        for name in ["sounds", "sessions", "scratch", "folder"] {
            try FileManager.default.createDirectory(at: folder.appending(path: name), withIntermediateDirectories: true)
        }
        try addSounds()
        try addDocuments()
        texts += ["", "a", "b", "input 1", "input 2", "input -9223372036854775808", "scene", "/", "..", "/dev/null", "nan", "-1", "flat"]
        texts += targets
        names = texts.filter { !$0.isEmpty && !$0.contains("/") && $0 != ".." }
        made = Set(FileManager.default.subpaths(atPath: folder.path) ?? [])
        texts += ["1 (2 3 | 4) 5", "( | )", "(|||)", "1 2 3", "2 1", "(1)(2)", "( | 1) 2", "((", "0", "99999999999999999999"]
        texts += [
            "osc:osc", "phone", "opentrack:0", "ypr:osc", "\u{0}", String(repeating: "é|", count: 400),
            String(repeating: "x", count: 60_000),
        ]
    }

    func path(_ name: String) -> String { folder.appending(path: name).path }

    /// Files that clients of a fuzzed engine may name: those of this folder.
    var clients: ClientFiles {
        ClientFiles(data: path("data"), own: [.sessions: path("sessions"), .sounds: path("sounds")], allowed: [folder.path])
    }

    /// Ends the process when an input has written to the current folder, under a name or a name with an ending.
    func check() {
        for name in names {
            for ending in ["", ".json", ".csv"] {
                precondition(!FileManager.default.fileExists(atPath: name + ending), "\(name + ending) is in the current folder")
            }
        }
    }

    /// Removes what an input has written, and restores sessions that it has written over.
    mutating func clean() {
        for file in FileManager.default.subpaths(atPath: folder.path) ?? [] where !made.contains(file) {
            try? FileManager.default.removeItem(atPath: path(file))
        }
        for (name, session) in sessions where Self.inode(path(name)) != session.inode {
            try? session.content.write(to: folder.appending(path: name))
            sessions[name] = (session.content, Self.inode(path(name)))
        }
    }

    /// Number of a file; writing again gives another one.
    private static func inode(_ path: String) -> UInt {
        var facts = stat()
        return stat(path, &facts) == 0 ? UInt(facts.st_ino) : 0
    }

    private mutating func add(_ name: String, _ content: Data) throws {
        try content.write(to: folder.appending(path: name))
        if name.hasPrefix("sessions/") { sessions[name] = (content, Self.inode(path(name))) }
        texts.append(name.split(separator: "/").count == 1 ? path(name) : String(name.split(separator: "/")[1]))
    }

    private mutating func addSounds() throws {
        for (name, channels, value) in [
            ("eight.wav", 8, 0.5), ("sounds/mono.wav", 1, 0.5), ("stereo.wav", 2, 0.1), ("many.wav", 64, 0.1), ("loud.wav", 8, 3e38),
            ("nan.wav", 8, Float.nan), ("sounds/loud.wav", 1, 3e38), ("loud-response.wav", 2, 3e38), ("too-many.wav", 65, 0.1),
        ] as [(String, Int, Float)] {
            let writer = try SoundWriter(path: path(name), channels: channels, rate: 48_000)
            try writer.write([Float](repeating: value, count: 4800 * channels), frames: 4800)
            try writer.finish()
            texts.append(name.hasPrefix("sounds/") ? String(name.dropFirst(7)) : path(name))
        }
        let good = try Data(contentsOf: URL(filePath: path("stereo.wav")))
        for (number, place) in [4, 16, 20, 22, 24, 34, 40].enumerated() {
            var damaged = good
            for i in place..<min(place + 4, good.count) { damaged[i] = 0xFF }
            try add("damaged-\(number).wav", damaged)
        }
        for size in [0, 3, 12, 44, 60, good.count / 2] { try add("cut-\(size).wav", good.prefix(size)) }
        try add("sounds/damaged.wav", good.prefix(50))
        try add("text.wav", Data("not a sound".utf8))
        try add("damaged.sofa", Data("\u{89}HDF\r\n\u{1A}\n".utf8))
        texts.append(path("folder"))
    }

    private mutating func addDocuments() throws {
        let slot = #"{"effect":"delay","slot":1,"mix":0.5,"parameters":{"time":250}}"#
        let racks = [
            #"{"version":1,"slots":[\#(slot)]}"#, #"{"version":1,"slots":[]}"#, #"{"version":1e300,"slots":[]}"#,
            #"{"version":1,"slots":[{"effect":"delay","slot":1e300}]}"#, #"{"version":1,"slots":[{"effect":"delay","slot":-1}]}"#,
            #"{"version":1,"slots":[{"branches":[[\#(slot)],[]],"mix":[1,1]}]}"#, #"{"version":1,"slots":[{"branches":[],"mix":[]}]}"#,
            #"{"version":1,"slots":[{"branches":[\#(Array(repeating: "[]", count: 2000).joined(separator: ","))]}]}"#,
            #"{"version":1,"slots":[{"effect":"convolution","parameters":{"response":"damaged-3.wav"}}]}"#,
            #"{"version":1,"slots":[{"effect":"convolution","parameters":{"response":"stereo.wav"}}]}"#,
            String(repeating: "[", count: 100_000), #"{"version":1,"slots":[{"effect":"delay","parameters":{"time":"no"}}]}"#,
        ]
        let numbers = Array(repeating: "1", count: 500).joined(separator: ",")
        for (number, rack) in racks.enumerated() {
            try add("rack-\(number).json", Data(rack.utf8))
            let parameters = #"{"/listener/1/gain":-3,"/listener/1/method":"linear","/object/1/source":"mono.wav"}"#
            for (kind, session) in [
                #"{"version":2,"recording":"\#(path("eight.wav"))","parameters":\#(parameters),"racks":{"listener/1":\#(rack)}}"#,
                #"{"version":2,"parameters":{"/array/gain":[\#(numbers)]},"scenes":[{"name":"a"}]}"#,
                #"{"version":1,"recording":"\#(path("damaged-2.wav"))","racks":{"input":\#(rack)}}"#,
            ].enumerated() { try add("sessions/damaged-\(number)-\(kind).json", Data(session.utf8)) }
        }
    }
}
