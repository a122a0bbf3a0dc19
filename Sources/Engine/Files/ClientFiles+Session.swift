import Effects
import Parameters
import Rack
import Session

/// The files that a session names.
extension ClientFiles {
    /// Lets clients use every file that a session of the command line names.
    func grant(_ session: SessionFile) {
        if let recording = session.recording { grant(recording) }
        for snapshot in [session.snapshot] + session.scenes.map(\.snapshot) {
            for rack in snapshot.racks.values { rack.allSlots.compactMap(ResponseLibrary.path).forEach { grant($0) } }
            // The playlist is one text of several names.
            for case .string(let text) in snapshot.parameters.values.joined() {
                for line in text.split(separator: "\n") where line.hasPrefix("/") { grant(String(line)) }
            }
        }
    }

    /// A session without the impulse responses that clients may not use. They stay in its file.
    /// - Parameter report: called with each of them, in words.
    func admitted(_ session: SessionFile, report: (String) -> Void) -> SessionFile {
        var session = session
        session.snapshot.racks = session.snapshot.racks.mapValues { admitted($0, report) }
        for index in session.scenes.indices {
            session.scenes[index].snapshot.racks = session.scenes[index].snapshot.racks.mapValues { admitted($0, report) }
        }
        return session
    }

    private func admitted(_ rack: RackDescription, _ report: (String) -> Void) -> RackDescription {
        func admitted(_ slot: RackDescription.Slot) -> RackDescription.Slot {
            guard let path = ResponseLibrary.path(slot) else { return slot }
            do throws(RequestError) {
                try check(path, .responses)
                return slot
            } catch {
                report("\(error); the effect is silent, and the path is kept")
            }
            var slot = slot
            slot.texts["response"] = nil
            slot.unknownParameters["response"] = .text(path)
            return slot
        }
        func admitted(_ places: [RackDescription.Place]) -> [RackDescription.Place] {
            places.map { place in
                switch place {
                case .slot(let slot): .slot(admitted(slot))
                case .branches(let rows, let mix): .branches(rows.map { $0.map(admitted) }, mix: mix)
                }
            }
        }
        var rack = rack
        rack.places = admitted(rack.places)
        rack.state.other = rack.state.other.map(admitted)
        return rack
    }
}
