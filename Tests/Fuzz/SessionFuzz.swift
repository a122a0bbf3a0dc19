import Foundation
import Parameters
import Rack
import Session
import Trust

/// Session files, racks and lists of paired clients. The first byte selects the kind.
final class SessionFuzz: FuzzTarget {
    private let tree = ParameterTree(listeners: 2, trackers: 2, methods: ["nearest", "linear"])
    private let path = FuzzFolder.path + "/input"

    func run(_ bytes: UnsafeRawBufferPointer) {
        guard let first = bytes.first else { return }
        let rest = Data(bytes.dropFirst())
        switch first % 3 {
        case 0: session(rest)
        case 1: _ = try? RackFile.parse(String(decoding: rest, as: UTF8.self), path: "rack.json")
        default:
            try? PrivateFile.write(String(decoding: rest, as: UTF8.self), to: path + ".devices")
            guard let clients = try? PairedClients(path: path + ".devices") else { return }
            precondition(clients.find("") == nil)
        }
    }

    private func session(_ bytes: Data) {
        _ = FileManager.default.createFile(atPath: path, contents: bytes)
        do {
            let session = try SessionFile.read(path, tree)
            for (address, arguments) in session.snapshot.parameters {
                guard let slot = tree.index(at: address) else { fatalError("\(address) is not in the tree") }
                // The hub accepts every value that the file format accepts.
                _ = try tree.nodes[slot].spec.accept(arguments, at: address)
            }
        } catch { precondition(!"\(error)".isEmpty) }
    }
}
