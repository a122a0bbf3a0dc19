import CRealtime
import Device
import Engine
import Foundation
import Hub
import Media
import OSCControl
import Parameters
import Render
import Session

/// A running engine that is driven step by step. Every step comes from the bytes of an input.
final class FuzzedEngine {
    private let engine: Engine
    private let device: FuzzedDevice
    private let files: FuzzFiles
    private var clients: [Subscriber] = []
    private var clock = rt_now()
    /// Words of the latest steps, for a report.
    private(set) var words = ""

    private static let presets = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appending(path: "presets").path
    private static let presetFolder = PresetFolder(folder: presets)
    private static let mostClients = 8

    init(_ files: FuzzFiles) throws {
        self.files = files
        device = try FuzzedDevice()
        var options = EngineOptions(
            deviceName: "fuzzed", protection: .none, cues: try CueLibrary(folder: nil, rate: device.format.rate),
            files: files.clients, matches: OSCAddressPattern.matches)
        options.objects = 2
        options.trackers = 1
        options.sessions = SessionFolder(folder: files.path("sessions"))
        options.sounds = SoundLibrary(folder: files.path("sounds"))
        options.presets = Self.presetFolder
        engine = try Engine(options, device: device) { _ in }
        engine.connect()
        engine.hub.turn = 4_000_000
        engine.sessions.files.begin()
    }

    func stop() {
        clients.forEach(engine.hub.unsubscribe)
        engine.stop()
    }

    /// Takes one step.
    func step(_ reader: inout StepReader) {
        switch reader.choice(16) {
        case 0: start()
        case 1:
            words = "device fails"
            device.fail()
        case 2: for _ in 0..<reader.choice(8) + 1 { device.pull() }
        case 3, 4: tick(reader.byte())
        case 5: come(&reader)
        case 6: if !clients.isEmpty { engine.hub.unsubscribe(clients.remove(at: reader.choice(clients.count))) }
        case 7: for client in clients { client.drainPending { _ in true } }
        case 8: send(pattern(&reader), [argument(&reader)], from: &reader)
        case 9: send(reader.pick(Self.frequent), [.string(reader.pick(files.texts))], from: &reader)
        case 10: send("/rack/\(rack(&reader))/add", [.int(Int32(reader.choice(20)))], from: &reader)
        case 11: send("/rack/\(rack(&reader))/layout", [.string(layout(&reader))], from: &reader)
        default: sendAny(&reader)
        }
    }

    /// Parameters of which most depends.
    private static let frequent = [
        "/session/recording", "/session/load", "/session/compare", "/scene/store", "/scene/recall", "/scene/remove", "/object/1/source",
        "/object/2/source", "/listener/1/hrtf", "/rack/listener/1/load", "/rack/recording/load", "/rack/input/load",
        "/rack/listener/1/preset", "/rack/recording/preset", "/tracker/1/source",
    ]

    private func start() {
        words = "start"
        guard !isStarted else { return }
        isStarted = true
        _ = try? engine.start { _ in }
    }
    private var isStarted = false

    private func tick(_ byte: UInt8) {
        words = "tick"
        clock += 1_000_000 << UInt64(byte % 16)
        engine.tick(now: clock)
    }

    private func come(_ reader: inout StepReader) {
        words = "a client comes"
        if clients.count < Self.mostClients { clients.append(engine.hub.subscribe {}) }
        let path = reader.choice(2) == 0 ? "/" : node(&reader).address
        _ = engine.hub.listen(clients[reader.choice(clients.count)], to: path)
    }

    private func rack(_ reader: inout StepReader) -> String { reader.pick(["listener/1", "recording", "input"]) }

    private func layout(_ reader: inout StepReader) -> String {
        let pieces = ["1", "2", "3", "4", "16", "17", "0", "-1", "(", ")", "|", " ", "(|", "|)", "99999999999999999999", "x"]
        return (0..<reader.choice(24)).map { _ in reader.pick(pieces) }.joined(separator: " ")
    }

    private func pattern(_ reader: inout StepReader) -> String {
        let parts = node(&reader).address.split(separator: "/").map(String.init)
        return parts.reduce(into: "") { text, part in
            text += "/" + reader.pick([part, "*", "?*", "{\(part),x,y}", "[a-z]*", "*{a,b}*", "*?*?*", String(part.prefix(2)) + "*"])
        }
    }

    private func node(_ reader: inout StepReader) -> ParameterTree.Node {
        let nodes = engine.hub.tree.nodes
        return nodes[reader.choice(nodes.count)]
    }

    /// A value that fits the parameter, more often than not.
    private func sendAny(_ reader: inout StepReader) {
        let node = node(&reader)
        guard !node.address.isEmpty else { return }
        // Files are written in the scratch folder only.
        let writes = ["save", "save-as", "record-motion"].contains { node.address.hasSuffix("/" + $0) }
        let texts = writes ? files.targets : files.texts
        let arguments: [Argument]
        switch (reader.choice(4), node.spec.kind) {
        case (0, _) where !writes: arguments = (0..<reader.choice(5)).map { _ in argument(&reader) }
        case (_, .text): arguments = [.string(reader.pick(texts))]
        case (_, .impulse): arguments = []
        case (_, .choice(let names)) where !names.isEmpty: arguments = [.string(reader.pick(names))]
        case (_, .vector(let names)): arguments = names.map { _ in inside(node.spec, &reader) }
        case (_, .list): arguments = (0..<reader.choice(100)).map { _ in inside(node.spec, &reader) }
        default: arguments = [inside(node.spec, &reader)]
        }
        send(node.address, arguments, from: &reader)
    }

    private func inside(_ spec: ParameterSpec, _ reader: inout StepReader) -> Argument {
        let share = Float(reader.byte()) / 255
        return .float(spec.range.lowerBound * (1 - share) + spec.range.upperBound * share)
    }

    private func argument(_ reader: inout StepReader) -> Argument {
        switch reader.choice(7) {
        case 0: .int(Int32(bitPattern: reader.word()))
        case 1: .float(Float(bitPattern: reader.word()))
        case 2: .double(Double(Float(bitPattern: reader.word())) * 1e30)
        case 3: .string(reader.pick(files.texts))
        case 4: .bool(reader.choice(2) == 1)
        case 5: .int(Int32(reader.choice(20)) - 2)
        default: .other
        }
    }

    private func send(_ address: String, _ arguments: [Argument], from reader: inout StepReader) {
        words = "\(address) \(arguments)"
        clock += UInt64(reader.byte()) * 10_000_000
        let client = clients.isEmpty ? nil : clients[reader.choice(clients.count)]
        let message = Message(address: address, arguments: arguments, receiveTime: clock)
        if reader.choice(8) == 7 { engine.hub.prepare(message, due: clock + UInt64(reader.word())) }
        _ = engine.hub.handle(message, from: client)
    }

    /// Whatever happened, every value lies in its range.
    func check() {
        for node in engine.hub.tree.nodes where node.spec.isScalar && node.spec.access == .readWrite && !node.address.isEmpty {
            guard let number = engine.hub.value(node.index).numbers.first else { continue }
            precondition(node.spec.range.contains(number), "\(node.address) is \(number)")
        }
    }
}
