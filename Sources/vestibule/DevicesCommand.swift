import ArgumentParser
import Foundation
import Trust

/// `vestibule devices`: who has been paired. A server that runs meanwhile follows within a second.
struct DevicesCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "devices", abstract: "Lists the paired devices, revokes them, or changes what they may do.",
        discussion: """
            A device is paired by the code that `vestibule serve --bind 0.0.0.0` shows in its terminal, or by one that its panel \
            shows. A server that runs follows a change within a second.
            """)

    @Option(help: "Ends the pairing of the device of this id; \"all\" ends every one.")
    var revoke: String?

    @Option(help: "Lets the device of this id look and listen only.")
    var view: String?

    @Option(help: "Lets the device of this id control.")
    var control: String?

    @Option(help: "The list (default: $XDG_STATE_HOME/vestibule/devices.json).")
    var file: String?

    func run() throws {
        let devices = try PairedDevices(path: file ?? StateFolder.path + "/devices.json")
        if revoke == "all" {
            for device in devices.all { _ = try devices.revoke(device.id) }
        } else if let revoke, try !devices.revoke(revoke) {
            throw ValidationError("no paired device has the id \(revoke); `vestibule devices` lists them.")
        }
        for (id, role) in [(view, AccessRole.view), (control, .control)] {
            guard let id else { continue }
            guard try devices.setRole(id, role) else {
                throw ValidationError("no paired device has the id \(id); `vestibule devices` lists them.")
            }
        }
        if devices.all.isEmpty { print("no device is paired") }
        for device in devices.all {
            let seen = Date(timeIntervalSince1970: Double(device.seen)).formatted(.iso8601)
            print("\(device.id)  \(device.role.rawValue)\(device.role == .view ? "   " : "")  last seen \(seen)  \(device.name)")
        }
    }
}
