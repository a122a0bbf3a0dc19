import ArgumentParser
import Binaural
import Foundation

struct BenchCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "bench", abstract: "Measures the kernels, the methods, the network and the latency, on this machine.")

    @Flag(help: "The results as JSON.")
    var json = false

    @Flag(name: .customLong("render-only"), help: "Kernels, methods, objects and effects alone, without network.")
    var renderOnly = false

    @Flag(help: "The effects alone, as a table of speeds.")
    var effects = false

    @Flag(help: "Twenty trackers at 1000 poses a second each, alone: latency and what is lost.")
    var load = false

    @Flag(help: "OSC alone, among 50, 1,000 and 5,000 addresses, and in ADM-OSC's words.")
    var osc = false

    @Option(help: "This method alone.")
    var method: String?

    func validate() throws {
        guard let method, InterpolationMethod(name: method) == nil else { return }
        throw ValidationError(
            "no method is called '\(method)'; there are \(InterpolationMethod.allCases.map(\.name).joined(separator: ", "))")
    }

    func run() throws {
        if let method = method.flatMap(InterpolationMethod.init(name:)) {
            return try tell(MethodBenchmark(methods: [method]).measure())
        }
        guard !osc else { return try tell(OSCBenchmark.namespaces() + OSCBenchmark.translations()) }
        guard !effects else { return EffectsTable().show() }
        guard !load else { return try tell(LoadBenchmark().measure()) }
        var results: [Measurement] = []
        func section(_ name: String, _ measure: () throws -> [Measurement]) rethrows {
            if !json { FileHandle.standardError.write(Data("measuring \(name) …\n".utf8)) }
            let found = try measure()
            if !json { found.forEach(show) }
            results += found
        }
        section("kernels") { KernelBenchmark().measure() }
        let plain = results.last
        section("methods") { MethodBenchmark(beside: plain).measure() }
        section("objects") { ObjectBenchmark().measure() }
        section("effects") { EffectsTable().measure() }
        if !renderOnly {
            try section("OSC") { try OSCBenchmark().measure() }
            try section("WebSocket clients") { try ClientBenchmark().measure() + ClientBenchmark.telemetry.measure() }
            try section("latency") { try LatencyBenchmark().measure() }
            try section("load") { try LoadBenchmark().measure() }
        }
        if json { try tell(results) }
    }

    /// All at once.
    private func tell(_ results: [Measurement]) throws {
        guard json else { return results.forEach(show) }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
        print(String(decoding: try encoder.encode(results), as: UTF8.self))
    }

    private func show(_ result: Measurement) {
        let digits = abs(result.value) < 100 ? 2 : 0
        let name = result.name.padding(toLength: 64, withPad: " ", startingAt: 0)
        let value = String(format: "%.\(digits)f", result.value)
        var line = name + String(repeating: " ", count: max(0, 10 - value.count)) + value + " " + result.unit
        if let budget = result.budget { line += String(format: "   (budget %g)", budget) }
        if let beside = result.beside, let name = result.besideName {
            line += String(format: "   (%.1f times as fast as %@)", beside / result.value, name)
        }
        print(line)
    }
}
