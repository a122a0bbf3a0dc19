internal import Glibc

/// Finds one tracker among BlueZ's objects and takes the next step towards its notifications.
final class BluetoothSearch {
    let bus: SystemBus
    let tracker: String
    private let characteristic: String
    /// D-Bus paths of the tracker and of its characteristic.
    private var trackerPath: String?
    private var valuePath: String?
    private var isNotifying = false
    private(set) var isConnected = false
    private var discoveringAdapter: String?
    /// Times of the last check of BlueZ and of the last attempt to connect, CLOCK_MONOTONIC seconds.
    private var lastCheck = -1.0
    private var lastConnect = -100.0

    private static let name = "org.bluez"
    private static let deviceInterface = "org.bluez.Device1"
    private static let adapterInterface = "org.bluez.Adapter1"
    private static let valueInterface = "org.bluez.GattCharacteristic1"
    private static let propertiesInterface = "org.freedesktop.DBus.Properties"
    /// Seconds between two attempts to connect.
    private static let retryInterval = 10.0

    /// - Parameters:
    ///   - tracker: an address, or a part of a name; case is ignored.
    ///   - characteristic: UUID.
    init(_ bus: SystemBus, tracker: String, characteristic: String) {
        self.bus = bus
        self.tracker = tracker
        self.characteristic = characteristic.lowercased()
    }

    /// Subscribes to property changes of BlueZ's objects.
    func watch() throws(SystemBus.Failure) {
        let rule = "type='signal',interface='\(Self.propertiesInterface)',member='PropertiesChanged',path_namespace='/org/bluez'"
        _ = try bus.call(
            "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", "AddMatch", text: rule)
    }

    private static var now: Double {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    /// Checks BlueZ at most once a second and takes at most one step.
    /// - Returns: a message for the user; nil when nothing has changed.
    func step() throws(SystemBus.Failure) -> String? {
        let now = Self.now
        guard now - lastCheck >= 0.9 else { return nil }
        lastCheck = now
        let objects: BusMessage
        do throws(SystemBus.Failure) {
            objects = try bus.call(Self.name, "/", "org.freedesktop.DBus.ObjectManager", "GetManagedObjects")
        } catch {
            forget()
            return "Bluetooth does not respond (\(error.words)); check that bluetoothd is running"
        }
        let adapter = read(objects)
        guard let trackerPath else { return try search(adapter) }
        if let discoveringAdapter {
            try bus.send(Self.name, discoveringAdapter, Self.adapterInterface, "StopDiscovery")
            self.discoveringAdapter = nil
        }
        guard isConnected else {
            isNotifying = false
            guard now - lastConnect > Self.retryInterval else { return nil }
            lastConnect = now
            try bus.send(Self.name, trackerPath, Self.deviceInterface, "Connect")
            return "found \(tracker); connecting"
        }
        guard let valuePath else { return "\(tracker) is connected; waiting for its characteristic \(characteristic)" }
        guard !isNotifying else { return nil }
        isNotifying = true
        try bus.send(Self.name, valuePath, Self.valueInterface, "StartNotify")
        return "\(tracker) is connected and sending poses"
    }

    private func search(_ adapter: (path: String, isOn: Bool)?) throws(SystemBus.Failure) -> String? {
        guard let adapter else { return "this machine has no Bluetooth adapter" }
        guard adapter.isOn else { return "Bluetooth is switched off; run `bluetoothctl power on`" }
        if discoveringAdapter == nil {
            discoveringAdapter = adapter.path
            try bus.send(
                Self.name, adapter.path, Self.adapterInterface, "SetDiscoveryFilter", key: "Transport", value: "le")
            try bus.send(Self.name, adapter.path, Self.adapterInterface, "StartDiscovery")
        }
        return "searching for \(tracker)"
    }

    /// - Returns: the first adapter.
    private func read(_ objects: BusMessage) -> (path: String, isOn: Bool)? {
        var adapter: (path: String, isOn: Bool)?
        var remotes: [String: (properties: [String: BusMessage.Value], path: String)] = [:]
        var values: [String: [String: BusMessage.Value]] = [:]
        objects.entries("oa{sa{sv}}") {
            guard let path = objects.text("o") else { return false }
            objects.entries("sa{sv}") {
                guard let interface = objects.text() else { return false }
                let properties = objects.properties()
                switch interface {
                case Self.adapterInterface where adapter == nil: adapter = (path, properties["Powered"] == .bool(true))
                case Self.deviceInterface: remotes[path] = (properties, path)
                case Self.valueInterface: values[path] = properties
                default: break
                }
                return true
            }
            return true
        }
        let found = remotes.values.filter { fits($0.properties) }.min { $0.path < $1.path }
        if found?.path != trackerPath { (isConnected, isNotifying) = (false, false) }
        trackerPath = found?.path
        if found?.properties["Connected"] == .bool(true) { isConnected = true }
        let inside = trackerPath.map { $0 + "/" }
        let value = values.filter { path, properties in
            guard let inside, path.hasPrefix(inside), case .text(let uuid)? = properties["UUID"] else { return false }
            return uuid.lowercased() == characteristic
        }.min { $0.key < $1.key }
        valuePath = value?.key
        if value?.value["Notifying"] == .bool(false), isNotifying { isNotifying = false }
        return adapter
    }

    private func fits(_ properties: [String: BusMessage.Value]) -> Bool {
        if case .text(let address)? = properties["Address"], address.lowercased() == tracker.lowercased() { return true }
        return ["Alias", "Name"].contains { name in
            guard case .text(let text)? = properties[name] else { return false }
            return text.lowercased().contains(tracker.lowercased())
        }
    }

    /// Follows the property changes of an object.
    /// - Returns: the packet, when the characteristic has a new value.
    func take(_ message: BusMessage) -> [UInt8]? {
        if message.isFault("org.bluez.Error.AlreadyConnected") { (isConnected, lastCheck) = (true, -1) }
        guard message.isSignal(Self.propertiesInterface, "PropertiesChanged") else { return nil }
        let path = message.path
        guard path == valuePath || path == trackerPath, let interface = message.text() else { return nil }
        let properties = message.properties()
        if interface == Self.deviceInterface, case .bool(let connected)? = properties["Connected"] {
            isConnected = connected
            if !connected { (isNotifying, lastConnect) = (false, -100) }
            lastCheck = -1
        }
        guard interface == Self.valueInterface, path == valuePath, case .bytes(let bytes)? = properties["Value"] else { return nil }
        return bytes
    }

    /// Ends notifications and discovery; the tracker stays connected, because other programs may use it.
    func leave() {
        if isNotifying, let valuePath { try? bus.send(Self.name, valuePath, Self.valueInterface, "StopNotify") }
        if let discoveringAdapter { try? bus.send(Self.name, discoveringAdapter, Self.adapterInterface, "StopDiscovery") }
    }

    private func forget() {
        (trackerPath, valuePath, discoveringAdapter) = (nil, nil, nil)
        (isConnected, isNotifying) = (false, false)
    }
}
