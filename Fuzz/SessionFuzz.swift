import Foundation
import Parameters
import Rack
import Session
import Trust

/// Session files, racks and lists of paired devices. The first byte says which.
final class SessionFuzz: FuzzTarget {
    private let tree = ParameterTree(listeners: 2, trackers: 2, methods: ["nearest", "linear"])
    private let path = "/dev/shm/vestibule-fuzz-\(getpid())"

    func take(_ bytes: UnsafeRawBufferPointer) {
        guard let first = bytes.first else { return }
        let rest = Data(bytes.dropFirst())
        switch first % 3 {
        case 0: session(rest)
        case 1: _ = try? RackFile.parse(String(decoding: rest, as: UTF8.self), path: "rack.json")
        default:
            try? PrivateFile.write(String(decoding: rest, as: UTF8.self), to: path + ".devices")
            guard let devices = try? PairedDevices(path: path + ".devices") else { return }
            precondition(devices.find("") == nil)
        }
    }

    private func session(_ bytes: Data) {
        _ = FileManager.default.createFile(atPath: path, contents: bytes)
        do {
            let session = try SessionFile.read(path, tree)
            for (address, arguments) in session.snapshot.parameters {
                guard let slot = tree.slot(at: address) else { fatalError("\(address) is in no tree") }
                // What was let through is what the hub takes.
                _ = try tree.nodes[slot].spec.accept(arguments, at: address)
            }
        } catch { precondition(!"\(error)".isEmpty) }
    }
}
