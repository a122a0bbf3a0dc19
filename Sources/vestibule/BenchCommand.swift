import ArgumentParser
import Binaural

struct BenchCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "bench", abstract: "Measures the kernels, the methods and the network, on this machine.")

    func run() {
        for method in InterpolationMethod.allCases {
            let one = RenderBenchmark(method: method, listeners: 1).nanosecondsPerFrame()
            let many = RenderBenchmark(method: method, listeners: 101).nanosecondsPerFrame()
            let each = (many - one) / 100
            print(method.name, "shared", one - each, "each", each)
        }
    }
}
