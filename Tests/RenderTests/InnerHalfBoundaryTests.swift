import Foundation
import Testing

/// The boundary of rendering's inner half: what RenderCore depends on, directly or through other modules, knows no parameter tree and
/// no threads.
@Suite struct InnerHalfBoundaryTests {
    static let root = URL(filePath: #filePath).appending(path: "../../..").standardized
    /// Modules between threads, and those that use them.
    static let outer: Set = ["Parameters", "Crossing", "RenderInterface", "Rack", "Render", "Hub", "Session", "Engine", "Device", "Media"]
    /// Names of shapes in which threads meet, and of the parameter tree.
    static let words: Set = [
        "Handover", "FrameRing", "BufferRing", "Ring", "Latest", "Target", "TargetRow", "CountRow", "Switch", "SwitchRow", "Parcel",
        "LiveRack", "RackPlan", "LiveSound", "Atomic", "Mutex", "Thread", "ParameterTree", "ParameterStore", "ParameterReader",
    ]
    /// Tables that several threads share, made on the control side before rendering; the renderer for browsers has others.
    static let shared: Set = ["FourierPlans.swift", "ElevationDesign+Shared.swift"]

    /// Names of the targets that each target of the package depends on.
    static func dependencies() throws -> [String: [String]] {
        let text = try String(contentsOf: root.appending(path: "Package.swift"), encoding: .utf8)
        let stage = try Regex(#"stage\(\s*"\w+/(\w+)"(?:,\s*\[([^\]]*)\])?"#).dotMatchesNewlines()
        return text.matches(of: stage).reduce(into: [:]) { found, match in
            guard let name = match.output[1].substring else { return }
            found[String(name)] = match.output[2].substring?.matches(of: /"(\w+)"/).map { String($0.output.1) } ?? []
        }
    }

    /// A target and everything that it depends on.
    static func closure(of target: String) throws -> Set<String> {
        let dependencies = try dependencies()
        var (found, waiting) = (Set<String>(), [target])
        while let next = waiting.popLast() {
            if found.insert(next).inserted { waiting += dependencies[next] ?? [] }
        }
        return found
    }

    /// Words of the code of a module that are not part of a comment or a text, by file.
    static func words(of module: String) throws -> [(file: String, words: Set<String>)] {
        let files = FileManager.default.enumerator(at: root.appending(path: "Sources/Realtime/" + module), includingPropertiesForKeys: nil)
        return try (files?.allObjects ?? []).compactMap { $0 as? URL }.filter { $0.pathExtension == "swift" }.map { file in
            let code = try String(contentsOf: file, encoding: .utf8).replacing(/\/\/[^\n]*/, with: "").replacing(/"[^"\n]*"/, with: "")
            return (file.lastPathComponent, Set(code.matches(of: /\w+/).map { String($0.output) }))
        }
    }

    @Test func dependsOnNothingOfTheOuterHalf() throws {
        let closure = try Self.closure(of: "RenderCore")
        #expect(closure.isSuperset(of: ["RenderCore", "RackCore", "Effects", "Binaural", "DSP"]))
        #expect(closure.isDisjoint(with: Self.outer), "\(closure.intersection(Self.outer))")
        // The same reading of the package finds the crossings of the outer half.
        #expect(try Self.closure(of: "Render").isSuperset(of: ["Crossing", "RenderInterface", "Rack", "RenderCore"]))
    }

    @Test func namesNoThreadsAndNoParameterTree() throws {
        var count = 0
        for module in try Self.closure(of: "RenderCore") where !module.hasPrefix("C") {
            for (file, words) in try Self.words(of: module) where !Self.shared.contains(file) {
                count += 1
                #expect(words.isDisjoint(with: Self.words), "\(module)/\(file): \(words.intersection(Self.words))")
            }
        }
        #expect(count > 200)
        #expect(try Self.words(of: "Rack").contains { !$0.words.isDisjoint(with: Self.words) })
    }
}
