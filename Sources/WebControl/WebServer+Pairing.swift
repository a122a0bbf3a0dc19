internal import CWebSockets
internal import Crossing
internal import Glibc
internal import Hub
internal import OSCControl
public import Trust

/// Devices that are let in by a code: offering, taking, listing, revoking.
extension WebServer {
    private struct Offer: Encodable {
        let url: String
        /// A row for each line, `1` for dark.
        let code: [String]
        let seconds: Int
        let role: AccessRole
        /// For a device that does not trust this server yet.
        let trust: Place?

        struct Place: Encodable {
            let url: String
            let code: [String]
        }
    }

    private struct List: Encodable {
        /// Whether there is something to pair for, and who asks may do it.
        let possible: Bool
        let devices: [Listed]
    }

    private struct Listed: Encodable {
        let id: String
        let name: String
        let role: AccessRole
        let paired: Int
        let seen: Int
        let connections: Int
        /// True for the device that asks.
        let own: Bool
    }

    private static let unneeded =
        "nobody needs to be paired: this server is for this machine alone; start it with --bind 0.0.0.0"

    private var now: Int { time(nil) }

    // MARK: Codes

    /// A code for a device that is near, or nil when nobody needs one.
    public func offerPairing(_ role: AccessRole, _ page: PairingPage) -> PairingCode? { offerPairing(role, page, host: nil) }

    private func offerPairing(_ role: AccessRole, _ page: PairingPage, host: String?) -> PairingCode? {
        guard let token = gate.offer(role) else { return nil }
        let url = "\(options.certificate == nil ? "http" : "https")://\(place(host))\(page.path)#pair=\(token)"
        return QRCode(url).map { PairingCode(url: url, code: $0, seconds: PairingOffers.seconds) }
    }

    /// Where another device reaches this server: as the one that asks does, unless that is this very machine.
    private func place(_ host: String?) -> String {
        if let host {
            let name = HostNames.name(host)
            let isHere = name == "localhost" || name.hasSuffix(".localhost") || NetworkAddress(host: name)?.isLoopback == true
            if !isHere { return host }
        }
        let name = options.reachable ?? options.host
        return "\(name.contains(":") ? "[\(name)]" : name):\(port)"
    }

    func offer(_ role: AccessRole, _ page: PairingPage, host: String?) -> Response {
        guard let made = offerPairing(role, page, host: host) else { return .text(404, Self.unneeded) }
        let trust = options.certificate?.authority == nil ? nil : "http://\(place(host))/trust"
        return .json(
            200,
            Offer(
                url: made.url, code: made.code.rows, seconds: made.seconds, role: role,
                trust: trust.flatMap { url in QRCode(url).map { Offer.Place(url: url, code: $0.rows) } }))
    }

    func pair(_ upload: Upload, _ wsi: OpaquePointer) throws(TrustError) -> Response? {
        guard let body = upload.body, let token = body.token else { return nil }
        let address = PeerName.of(wsi)
        switch try gate.pair(token, name: body.name ?? "", from: address, time: now) {
        case .done(let device, let cookie):
            hub.notice("\(device.name) at \(address) was paired and may \(device.role == .control ? "control" : "look and listen")")
            noteDevice(device.id, device.role, address)
            var response = Response.json(200, ["role": device.role.rawValue, "id": device.id])
            // 400 days: browsers keep no cookie for longer.
            response.headers.append(("set-cookie:", self.cookie("device-\(device.id)", cookie, days: 400, wsi)))
            return response
        case .refused(.spent): return .text(410, "this code has been used; ask for another one")
        case .refused(.ended): return .text(410, "this code has ended; ask for another one")
        case .refused: return .text(401, "this code is not known here")
        case .tooMany: return .text(429, "too many wrong codes; try again in a minute")
        case .full: return .text(507, "\(PairedDevices.most) devices are paired already; revoke one first")
        }
    }

    // MARK: The list

    func deviceList(_ visitor: Visitor?) -> Response {
        guard let devices = gate.devices, visitor?.role == .control else {
            return .json(200, List(possible: false, devices: []))
        }
        let open = Dictionary(connections.values.compactMap { $0.device.map { ($0, 1) } }, uniquingKeysWith: +)
        let list = devices.all.map { device in
            Listed(
                id: device.id, name: device.name, role: device.role, paired: device.paired, seen: device.seen,
                connections: open[device.id] ?? 0, own: device.id == visitor?.device)
        }
        return .json(200, List(possible: true, devices: list))
    }

    func revoke(_ upload: Upload) throws(TrustError) -> Response? {
        guard let id = upload.body?.id else { return nil }
        guard let devices = gate.devices else { return .text(404, Self.unneeded) }
        let name = devices.all.first { $0.id == id }?.name
        guard try devices.revoke(id), let name else { return .text(404, "no paired device has this id") }
        hub.notice("\(name) is not paired any more")
        endStrangers()
        return .empty(204)
    }

    func setRole(_ upload: Upload) throws(TrustError) -> Response? {
        guard let body = upload.body, let id = body.id, let role = body.role else { return nil }
        guard let devices = gate.devices else { return .text(404, Self.unneeded) }
        guard try devices.setRole(id, role) else { return .text(404, "no paired device has this id") }
        endStrangers()
        return .empty(204)
    }

    // MARK: From second to second

    /// Remembers that a device is here, and lets it send OSC from there when it may control.
    func noteDevice(_ id: String, _ role: AccessRole, _ address: String) {
        deviceRoles[id] = role
        if role == .control, let address = NetworkAddress(host: address) { options.admission?.admit(address, device: id) }
        seen.insert(id)
    }

    /// Writes who was here, and follows what other processes have changed in the list.
    func refreshDevices() {
        guard let devices = gate.devices else { return }
        do {
            try devices.refresh()
            for id in seen.union(connections.values.compactMap(\.device)) { try devices.noteSeen(id, now: now) }
            deviceProblem = nil
        } catch {
            if deviceProblem != error { hub.notice("\(error)") }
            deviceProblem = error
        }
        seen = []
        endStrangers()
    }

    /// Ends the connections of devices that are not paired any more, or with another role.
    private func endStrangers() {
        guard let devices = gate.devices else { return }
        let known = Dictionary(uniqueKeysWithValues: devices.all.map { ($0.id, $0.role) })
        for (id, role) in deviceRoles where known[id] != role {
            deviceRoles[id] = nil
            options.admission?.dismiss(device: id)
            for connection in connections.values where connection.device == id { connection.end(.revoked) }
        }
    }
}
