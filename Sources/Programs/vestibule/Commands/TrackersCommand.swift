import ArgumentParser
internal import Files
import Foundation
import Pose

/// `vestibule trackers`: the table of tracker profiles, or one profile as JSON.
struct TrackersCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "trackers", abstract: "List the supported head trackers: profiles, ports, addresses, notes.",
        discussion: """
            To add a tracker, write its profile as JSON in a file whose name ends in .json. Start from a known one: \
            `vestibule trackers iem > mine.json`.
            """)

    @ArgumentParser.Argument(help: "Print this profile as JSON.")
    var profile: String?

    func run() throws {
        if let profile {
            let data = try JSONEncoder.file.encode(try TrackerOption.profile(profile, option: "trackers"))
            print(String(decoding: data, as: UTF8.self))
            return
        }
        for profile in TrackerProfile.table {
            let port =
                switch profile.transport {
                case .udp: profile.port.map { "port \($0)" } ?? "no port of its own"
                case .serial: "serial line, \(profile.baud ?? 115_200) bits a second"
                case .midi: "USB-MIDI"
                case .bluetooth: "Bluetooth LE"
                case .web: "in a browser"
                }
            print("\(profile.name): \(profile.title); \(port) [\(profile.evidence.rawValue)]")
            let addresses = profile.forms.map { form in
                form.datagram != nil ? "raw datagrams" : form.addresses.isEmpty ? "quaternions" : form.addresses.joined(separator: " ")
            }
            print("    \(addresses.joined(separator: ", "))")
            if !profile.note.isEmpty { print("    \(profile.note)") }
        }
    }
}
