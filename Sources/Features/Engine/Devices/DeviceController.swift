package import Device
import Hub
import Media
import Parameters
import Render
import Session
import Threads

/// A device that can be exchanged while the engine runs.
package struct DeviceExchange: Sendable {
    /// The initial device.
    let device: DeviceSpecification
    /// Opens another device at the engine's rate.
    let opener: DeviceOpener

    package init(device: DeviceSpecification, opener: @escaping DeviceOpener) {
        self.device = device
        self.opener = opener
    }
}

/// Starts the device that plays, exchanges it for another one, and reports its state in `/engine/device/…`.
final class DeviceController {
    private let hub: Hub
    private let format: DeviceFormat
    /// The initial device. Nil once a supervisor has taken over an exchangeable device, which it also closes.
    private var device: (any AudioDevice)?
    private let exchange: DeviceExchange?
    private let report: @Sendable (String) -> Void
    /// Records a step for undo.
    var note: (EditStep) -> Void = { _ in }
    private var names: DeviceNames
    private var run: DeviceRun<RenderGraph>?
    private var supervisor: DeviceSupervisor<RenderGraph>?
    private var status: DeviceStatus?
    private var order: [DeviceSpecification] = []
    /// Requests to the supervisor so far.
    private var requests = 0
    private let work = SerialWork(name: "device list")
    private let found = Mailbox<[DeviceOffer]>()
    private var offers: [DeviceOffer] = []
    private var lookedAt: UInt64 = 0
    private var timing = OutputTiming.Reading()
    private var timedAt: UInt64 = 0
    /// Nanoseconds between two publications of the output times.
    private static let timingInterval: UInt64 = 500_000_000
    /// Nanoseconds between two checks of the machine's devices.
    private static let interval: UInt64 = 2_000_000_000

    /// - Parameters:
    ///   - device: opened already.
    ///   - report: called with a sentence when a device is lost or returns, on another thread.
    init(hub: Hub, device: any AudioDevice, exchange: DeviceExchange?, report: @escaping @Sendable (String) -> Void) {
        self.hub = hub
        self.device = device
        format = device.format
        self.exchange = exchange
        self.report = report
        names = DeviceNames(first: exchange?.device)
    }

    private func index(_ parameter: DeviceParameter) -> Int { hub.tree.index(parameter) }

    /// Number of channels of the current device.
    var channels: Int { status?.channels ?? device?.channels ?? ChannelPair.mostChannels }

    /// The clock of what plays now; that of the timer while a device is lost.
    var clock: DeviceClock {
        guard let status, status.state == .lost else {
            return DeviceClock(
                hub.value(hub.tree.index(DeviceParameter.name)).text ?? "", card: status.map(\.card) ?? device?.card)
        }
        return DeviceClock(DeviceSpecification.timer.description, card: nil)
    }

    /// Frames that no device played, since the start; exact, unlike the parameter, which is a single-precision number.
    var lostFrames: Int64 { status?.lostFrames ?? 0 }

    var isStarted: Bool { run != nil || supervisor != nil }

    func connect() {
        publishChannels()
        hub.onSet(index(.select)) { [unowned self] value, _ in
            let device = try named(.select) { () throws(RequestError) in try names.device(value.text ?? "") }
            noteSelection(of: device)
            request { $0.select(device) }
        }
        hub.onSet(index(.order)) { [unowned self] value, message in
            order = try named(.order) { () throws(RequestError) in try names.order(value.text ?? "") }
            request { [order] in $0.prefer(order) }
            message.store(instead: .text(Self.text(order)))
        }
    }

    /// Makes the choice of a device an undo step, although sessions keep the order of devices instead.
    private func noteSelection(of device: DeviceSpecification) {
        let index = index(.select)
        guard let before = hub.value(index).text, !before.isEmpty, before != device.description else { return }
        let (address, spec) = (hub.tree.nodes[index].address, hub.tree.nodes[index].spec)
        note(EditStep(settings: [.init(address: address, spec: spec, before: .text(before), after: .text(device.description))]))
    }

    /// Puts the address before an error.
    private func named<Value>(_ parameter: DeviceParameter, _ body: () throws(RequestError) -> Value) throws(RequestError) -> Value {
        do { return try body() } catch { throw RequestError("\(parameter.address()): \(error)") }
    }

    private func request(_ body: (DeviceSupervisor<RenderGraph>) -> Void) {
        guard let supervisor else { return }
        requests += 1
        body(supervisor)
    }

    /// Moves the renderer to the device.
    /// - Parameter onEnd: called when a device that cannot be exchanged ends by itself.
    func start(_ renderer: consuming RenderGraph, onEnd: @escaping @Sendable (DeviceError?) -> Void) throws(DeviceError) -> [String] {
        guard let device else { throw DeviceError("The device has been started before.") }
        guard let exchange else {
            let run = try device.start(renderer, onEnd: onEnd)
            self.run = run
            return run.hints
        }
        let supervisor = try DeviceSupervisor(renderer, on: device, as: exchange.device, opener: exchange.opener, report: report)
        self.supervisor = supervisor
        status = supervisor.status
        hub.publish(index(.select), .text(exchange.device.description))
        self.device = nil
        if !order.isEmpty { request { [order] in $0.prefer(order) } }
        return supervisor.hints
    }

    /// Publishes the device's state, and looks for devices that appear and disappear; called about thirty times a second.
    func tick(now: UInt64) {
        guard let supervisor else { return }
        publish(supervisor.status)
        if now > timedAt + Self.timingInterval {
            timedAt = now
            publish(supervisor.timing)
        }
        if let found = found.take() { take(found) }
        guard now > lookedAt + Self.interval, !work.isBusy, let status else { return }
        lookedAt = now
        let (rate, offers) = (format.rate, offers)
        work.add { [found] in found.put(DeviceOffer.all(known: offers, status, rate: rate)) }
    }

    private func take(_ found: [DeviceOffer]) {
        offers = found
        names.listed = found.map(\.specification)
        hub.publish(index(.available), .text(found.map(\.line).joined(separator: "\n")))
    }

    private func publish(_ status: DeviceStatus) {
        guard status != self.status else { return }
        // An order that a client has just set may be newer than the status.
        let isFollowed = status.requests == requests
        if isFollowed, !status.isChanging { hub.publish(index(.select), .text(status.device.description)) }
        if isFollowed, status.order != order {
            order = status.order
            hub.publish(index(.order), .text(Self.text(order)))
        }
        self.status = status
        hub.publish(hub.tree.index(DeviceParameter.name), .text(status.device.description))
        hub.publish(index(.state), .number(status.state.number))
        hub.publish(index(.problem), .text(status.problem))
        hub.publish(index(.lost), .number(Float(status.lostFrames)))
        hub.publish(index(.losses), .number(Float(status.losses)))
        hub.publish(hub.tree.index(EngineParameter.period), .number(Float(status.period)))
        publishChannels()
    }

    private func publish(_ timing: OutputTiming.Reading) {
        guard timing != self.timing else { return }
        self.timing = timing
        hub.publish(hub.tree.index(LatencyParameter.source), .number(Float(timing.source.rawValue)))
        hub.publish(index(.delay), .number(Float((timing.delay * 100).rounded() / 100)))
        hub.publish(index(.residual), .number(Float((timing.residual * 100).rounded() / 100)))
        hub.publish(index(.jumps), .number(Float(timing.jumps)))
    }

    private func publishChannels() { hub.publish(index(.channels), .number(Float(channels))) }

    private static func text(_ order: [DeviceSpecification]) -> String { order.map(\.description).joined(separator: "\n") }

    /// Lets a device that waits for its release render the first block.
    func release() { device?.release() }

    /// Ends the sound; the renderer is freed here.
    func stop() {
        _ = run?.stop()
        _ = supervisor?.stop()
        (run, supervisor) = (nil, nil)
    }
}
