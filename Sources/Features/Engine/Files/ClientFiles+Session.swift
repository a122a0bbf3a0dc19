import Effects
import Parameters
import Rack
import Session

/// The files that a session names.
extension ClientFiles {
    /// Lets clients use every file named in a session that the command line names.
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

    /// A session without the impulse responses that clients may not use. Their paths stay in the session's file.
    /// - Parameter report: called with each of them, in words.
    func admitted(_ session: SessionFile, report: (String) -> Void) -> SessionFile {
        session.mapSlots { slot in
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
    }
}

extension SessionFile {
    /// The session with every effect slot transformed, in its racks and in the racks of its scenes.
    func mapSlots(_ transform: (RackDescription.Slot) -> RackDescription.Slot) -> SessionFile {
        var session = self
        session.snapshot.racks = snapshot.racks.mapValues { $0.mapSlots(transform) }
        for index in session.scenes.indices {
            session.scenes[index].snapshot.racks = scenes[index].snapshot.racks.mapValues { $0.mapSlots(transform) }
        }
        return session
    }
}
