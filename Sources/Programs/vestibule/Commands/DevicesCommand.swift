import ArgumentParser
import Device
import Foundation

/// `vestibule devices`: the sound devices of this machine.
struct DevicesCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "devices", abstract: "List the sound devices that can play (--device) and record (--input).",
        discussion: """
            Copy a name as it stands, for example `vestibule serve --device alsa:default`. ALSA also understands names that it does \
            not list, such as alsa:hw:0,0 and alsa:plughw:0. Paired phones and browsers: see `vestibule pairing`.
            """)

    /// Options of `vestibule pairing`, which was called `devices` in 0.1.
    @OptionGroup(visibility: .hidden) var pairing: PairingOptions

    func run() throws {
        guard pairing.isEmpty else {
            FileHandle.standardError.write(
                Data("`vestibule devices` lists sound devices now; the next release ends this alias of `vestibule pairing`.\n".utf8))
            return try pairing.run()
        }
        let devices = SoundDevice.all()
        guard !devices.isEmpty else {
            print(
                """
                No sound devices: ALSA lists none, and no JACK server runs. Connect a sound card, check that this user may use it (group \
                audio), or install ALSA's plugin for the sound server.
                `--device timer` serves listeners on the network without a sound card, and `--device file:PATH` renders to a file.
                """)
            return
        }
        let width = devices.map(\.specification.count).max() ?? 0
        for device in devices {
            let name = device.specification.padding(toLength: width, withPad: " ", startingAt: 0)
            let direction = device.direction.description.padding(toLength: 12, withPad: " ", startingAt: 0)
            print("\(name)  \(direction)  \(device.summary)")
        }
        print("\nPlay with --device NAME. Record with --input NAME, together with --device of the same card or server.")
    }
}
