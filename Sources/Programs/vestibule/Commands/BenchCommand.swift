import ArgumentParser
import Bench
import Binaural
import Budgets
import FileOutput
internal import Files
import Foundation

struct BenchCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "bench", abstract: "Measure the speed of kernels, methods, effects and network on this machine, and the latency.")

    @Flag(help: "Print the results as JSON.")
    var json = false

    @Flag(
        name: .customLong("render-only"),
        help: "Measure kernels, methods, objects, the array, rooms, takes and effects only, without network.")
    var renderOnly = false

    @Flag(help: "Measure the effects only, as a table of speeds.")
    var effects = false

    @Flag(help: "Measure only 128 sound objects for 500 listeners: in the virtual microphone array, and rendered for each listener.")
    var objects = false

    @Flag(help: "Measure only the latency and losses with twenty trackers of 1000 poses a second each.")
    var load = false

    @Flag(help: "Measure only OSC, with 50, 1,000 and 5,000 addresses, and with ADM-OSC addresses.")
    var osc = false

    @Flag(help: "Measure only what takes keep in memory: the ears and heads of listeners, and the microphones.")
    var takes = false

    @Flag(help: "Compare kernels, methods, effects, OSC and start with their budgets; fails and names those that exceed theirs.")
    var check = false

    @Option(help: "File of the budgets for --check and --record-thresholds (default: \(Self.standardThresholds)).")
    var thresholds: String?

    @Flag(
        name: .customLong("record-thresholds"),
        help: "Measure and write new budgets, 1.3 times the measured values, to the file given with --thresholds.")
    var recordThresholds = false

    @OptionGroup var outputs: OutputOptions

    @Flag(help: "Count allocations, locks and system calls per block, without timings; fails when there are any.")
    var counts = false

    @Option(help: "Measure this method only.")
    var method: String?

    private static let standardThresholds = "benchmarks/thresholds.json"
    private var thresholdsFile: String { thresholds ?? Self.standardThresholds }

    /// The given options that each choose a measurement.
    private var chosen: [String] {
        let options: [(name: String, isGiven: Bool)] = [
            ("--method", method != nil), ("--counts", counts), ("--check", check), ("--record-thresholds", recordThresholds),
            ("--osc", osc), ("--effects", effects), ("--takes", takes), ("--objects", objects), ("--load", load),
            ("--render-only", renderOnly),
        ]
        return options.filter(\.isGiven).map(\.name)
    }

    func validate() throws {
        if let method, InterpolationMethod(name: method) == nil {
            throw ValidationError(
                "There is no method \"\(method)\". Choose one of \(InterpolationMethod.allCases.map(\.name).joined(separator: ", ")).")
        }
        let chosen = chosen
        guard chosen.count < 2 else {
            throw ValidationError("\(chosen.joined(separator: " and ")) are different measurements. Give one of them.")
        }
        if json, let choice = chosen.first, counts || check || recordThresholds {
            throw ValidationError("\(choice) has no JSON output. Omit --json.")
        }
        if thresholds != nil, !check, !recordThresholds {
            throw ValidationError("--thresholds names the budgets of --check or --record-thresholds. Add one of these.")
        }
        if outputs.overwrite, !recordThresholds {
            throw ValidationError("--overwrite applies to the file that --record-thresholds writes. Add that option.")
        }
    }

    func run() throws {
        if counts { return try checkCounts() }
        #if DEBUG
        let note = "This is a development build: only what renders is optimized. `make build` makes the program to measure.\n"
        FileHandle.standardError.write(Data(note.utf8))
        #endif
        if let method = method.flatMap(InterpolationMethod.init(name:)) {
            return try report(MethodBenchmark(methods: [method]).measure())
        }
        if check || recordThresholds { return try checkBudgets() }
        guard !osc else { return try report(OSCBenchmark.namespaces() + OSCBenchmark.translations()) }
        guard !effects else {
            let table = EffectsTable()
            return json ? try report(table.measure()) : table.show()
        }
        guard !objects else { return try report(ArrayBenchmark().measure()) }
        guard !takes else { return try report(TakeBenchmark().measure()) }
        guard !load else { return try report(LoadBenchmark().measure()) }
        var results: [BenchmarkResult] = []
        func section(_ name: String, _ measure: () throws -> [BenchmarkResult]) rethrows {
            if !json { FileHandle.standardError.write(Data("measuring \(name) …\n".utf8)) }
            let found = try measure()
            if !json { found.forEach(show) }
            results += found
        }
        section("kernels") { KernelBenchmark().measure() }
        section("methods") { MethodBenchmark().measure() }
        section("objects") { ObjectBenchmark().measure() }
        section("array") { EncodedObjectBenchmark().measure() }
        section("rooms") { RoomBenchmark().measure() }
        section("takes") { TakeBenchmark().measure() }
        section("effects") { EffectsTable().measure() }
        if !renderOnly {
            try section("OSC") { try OSCBenchmark().measure() }
            try section("WebSocket clients") { try ClientBenchmark().measure() + ClientBenchmark.telemetry.measure() }
            try section("latency") { try LatencyBenchmark().measure() }
            try section("load") { try LoadBenchmark().measure() }
        }
        if json { try report(results) }
    }

    private func checkCounts() throws {
        let benchmark = CountBenchmark()
        let problems = benchmark.selfTest()
        for problem in problems { print("counting does not work: \(problem)") }
        let results = benchmark.measure()
        results.forEach(show)
        let found = results.filter { $0.value > 0 }
        guard problems.isEmpty, found.isEmpty else { throw ExitCode.failure }
        print("\(counted(results.count, "count")), all 0")
    }

    private func checkBudgets() throws {
        let thresholds = thresholdsFile
        // Opened before the measurement, so that an error does not come after it.
        let output = recordThresholds ? try outputs.open(thresholds) : nil
        let known = recordThresholds ? nil : try Thresholds(path: thresholds)
        let outcome = try BudgetCheck(groups: BenchmarkGroup.budgeted, reference: ReferenceLoop().measure).run(known) { name in
            FileHandle.standardError.write(Data("measuring \(name) …\n".utf8))
        }
        for (name, ratio) in outcome.ratios.sorted(by: { $0.key < $1.key }) {
            let limit = known?.ratios[name].map { String(format: "   budget %.3g", $0) } ?? ""
            print(name.padding(toLength: 64, withPad: " ", startingAt: 0) + String(format: "%9.3f", ratio) + limit)
        }
        if let output {
            try Thresholds(measured: outcome.ratios, margin: 1.3).write(to: output)
            return print("\(counted(outcome.ratios.count, "budget")) written to \(thresholds)")
        }
        for excess in outcome.excesses {
            print(String(format: "OVER BUDGET: %@: %.3g, budget %.3g", excess.name, excess.found, excess.limit))
        }
        for name in outcome.unbudgeted { print("NO BUDGET: \(name); add it with --record-thresholds") }
        for name in outcome.unmeasured { print("NOT MEASURED: \(name), which \(thresholds) has a budget for") }
        guard outcome.isPassed else { throw ExitCode.failure }
        print("\(counted(outcome.ratios.count, "budget")) kept")
    }

    /// Prints all results at once.
    private func report(_ results: [BenchmarkResult]) throws {
        guard json else { return results.forEach(show) }
        print(String(decoding: try JSONEncoder.file.encode(results), as: UTF8.self))
    }

    private func show(_ result: BenchmarkResult) {
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
