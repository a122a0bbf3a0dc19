import CDatagram
import CRealtime
import DSP
import Foundation
import Hub
import OSCControl
import Parameters
import Pose
import RenderInterface
import TestSupport
import Testing

@Suite struct ClockTests {
    /// Another host: its clock and the network delays in both directions.
    private struct Remote {
        /// Seconds since 1900 when the local clock reads 0.
        var epoch = 3_976_000_000.0
        var drift = 0.0
        /// Network delay in seconds in both directions, and the mean additional waiting time.
        var way = (there: 0.002, back: 0.002)
        var jitter = 0.0
        /// Share of packets delayed by 50 ms.
        var held = 0.0
        var random: SeededRandom

        func time(_ here: Double) -> Double { epoch + here * (1 + drift) }

        mutating func delay(_ least: Double) -> Double {
            least - log(1 - random.unit()) * jitter + (random.unit() < held ? 0.05 : 0)
        }

        /// Replies to one round that begins at `now` seconds; returns its end.
        mutating func answer(_ exchange: inout ClockExchange, from now: Double) -> (RemoteClock, end: Double) {
            var now = now
            var number = exchange.begin(now: UInt64(now * 1e9))
            while true {
                let received = now + delay(way.there)
                let sent = received + 0.0001
                let arrived = sent + delay(way.back)
                let outcome = exchange.answer(
                    number, received: time(received), sent: time(sent), arrived: UInt64(arrived * 1e9),
                    now: UInt64(arrived * 1e9))
                now = arrived
                switch outcome {
                case .ask(let next): number = next
                case .known(let clock): return (clock, now)
                case .ignored:
                    Issue.record("an answer was ignored")
                    return (RemoteClock(offset: 0, reference: 0, drift: 0), now)
                }
            }
        }

        /// Error of the estimated clock at `here` seconds, microseconds.
        func error(_ clock: RemoteClock, at here: Double) -> Double {
            let there = time(here)
            let tag = UInt64(there) << 32 | UInt64((there - there.rounded(.down)) * 4_294_967_296)
            return (Double(clock.local(timetag: tag)) / 1e9 - here) * 1e6
        }
    }

    @Test func offsetIsFoundDespiteJitterAndDelayedPackets() {
        var remote = Remote(jitter: 0.0005, held: 0.03, random: SeededRandom())
        var (worst, worstSingle) = (0.0, 0.0)
        for _ in 0..<200 {
            var exchange = ClockExchange()
            let (clock, end) = remote.answer(&exchange, from: 1000)
            worst = max(worst, abs(remote.error(clock, at: end)))
            let single = (remote.delay(0.002) - remote.delay(0.002)) / 2
            worstSingle = max(worstSingle, abs(single) * 1e6)
            #expect(abs(exchange.roundTrip - 0.005) < 0.003)
        }
        print("worst of 200 clocks: \(worst) us by medians, \(worstSingle) us by single questions")
        #expect(worst < 1000)
        // Negative control: a single query is sometimes wrong by half of a packet's delay.
        #expect(worstSingle > 10_000)
    }

    @Test func clockDriftIsTracked() {
        var remote = Remote(drift: 80e-6, jitter: 0.0002, random: SeededRandom(fixed: 5))
        var exchange = ClockExchange()
        var (clock, now) = (RemoteClock(offset: 0, reference: 0, drift: 0), 1000.0)
        for _ in 0..<12 { (clock, now) = remote.answer(&exchange, from: now + 10) }
        #expect(abs(clock.drift - 80e-6) < 5e-6)
        // A minute later without another query: 80 ppm would have been 4800 us.
        #expect(abs(remote.error(clock, at: now + 60)) < 500)
    }

    @Test func clockStepResetsTheEstimate() {
        var remote = Remote(jitter: 0.0002, random: SeededRandom(fixed: 6))
        var exchange = ClockExchange()
        var now = 1000.0
        for _ in 0..<5 { (_, now) = remote.answer(&exchange, from: now + 10) }
        remote.epoch += 3600
        let (clock, end) = remote.answer(&exchange, from: now + 10)
        #expect(abs(remote.error(clock, at: end)) < 500 && clock.drift == 0)
    }

    @Test func unrelatedAnswersAreIgnored() {
        var exchange = ClockExchange()
        let number = exchange.begin(now: 1_000_000_000)
        let time = 3_976_000_000.0
        func answer(_ number: Int32, _ received: Double, _ sent: Double, _ arrived: UInt64) -> ClockExchange.Outcome {
            exchange.answer(number, received: received, sent: sent, arrived: arrived, now: arrived)
        }
        #expect(answer(number + 1, time, time, 2_000_000_000) == .ignored)
        #expect(answer(number, time, time - 1, 2_000_000_000) == .ignored)
        #expect(answer(number, .nan, time, 2_000_000_000) == .ignored)
        #expect(answer(number, 1e300, 1e300, 2_000_000_000) == .ignored)
        #expect(answer(number, 12, 12, 2_000_000_000) == .ignored)
        #expect(answer(number, time, time, 500_000_000) == .ignored)
        #expect(answer(number, time, time, 2_000_000_000) == .ask(number + 1))
        #expect(answer(number, time, time, 2_100_000_000) == .ignored)
    }

    // MARK: Real sockets

    private func seconds(_ shift: Double = 0) -> Double { Double(datagram_realtime()) / 1e9 + 2_208_988_800 + shift }

    private func bundle(_ yaw: Float, at time: Double) -> [UInt8] {
        OSCPacket.bundle(
            [OSCPacket.bytes("/listener/1/ypr", [.float(yaw), .float(0), .float(0)])],
            timetag: UInt64(time) << 32 | UInt64((time - time.rounded(.down)) * 4_294_967_296))
    }

    /// Sends a pose until its time is taken as that of its measurement: after a stall of the machine it arrives more than a second later.
    private func sendUntilTimed(_ rig: Rig, _ yaw: Float, _ ahead: Double, shift: Double = 0) -> SentTime {
        var sent = SentTime()
        for _ in 0..<20 {
            let last = rig.pose().id
            rig.sender.send(bundle(yaw, at: sent.seconds(ahead, shift: shift)))
            #expect(rig.until { rig.pose().id != last })
            if rig.pose().senderTime != 0 { break }
        }
        return sent
    }

    @Test func timetagGivesThePosesSenderTime() throws {
        let rig = try Rig()
        let sent = sendUntilTimed(rig, 10, -0.25)
        #expect(sent.isNear(rig.pose().senderTime, -0.25))
        // A timetag more than a second old is not a sampling time; neither is a missing one.
        for packet in [bundle(20, at: seconds(-30)), OSCPacket.bytes("/listener/1/ypr", [.float(30), .float(0), .float(0)])] {
            let last = rig.pose().id
            rig.sender.send(packet)
            #expect(rig.until { rig.pose().id != last })
            #expect(rig.pose().senderTime == 0)
        }
    }

    @Test func clockExchangeCorrectsASenderAnHourAhead() throws {
        let rig = try Rig()
        let shift = 3600.0
        // Before the first query, a bundle an hour ahead is scheduled for later.
        rig.sender.send(bundle(10, at: seconds(shift)))
        rig.sender.send(OSCPacket.bytes("/sync", [.int(1)]))
        #expect(rig.until { rig.receiver.counters.datagrams == 2 })
        #expect(rig.pose().id == 0)

        rig.sender.send(OSCPacket.bytes("/clock", []))
        var questions = 0
        var known: [Argument] = []
        waitUntil("the clock is known", every: 0) {
            _ = rig.dispatcher.drain()
            guard let message = rig.sender.receive(seconds: 0.02)?.first else { return false }
            let now = seconds(shift)
            switch message.address {
            case "/clock/ask":
                questions += 1
                rig.sender.send(OSCPacket.bytes("/clock/answer", [message.arguments[0], .double(now), .double(seconds(shift))]))
            case "/clock/known": known = message.arguments
            default: break
            }
            return !known.isEmpty
        }
        #expect(questions == 15)
        #expect(known.count == 3)
        let sent = sendUntilTimed(rig, 20, -0.1, shift: shift)
        #expect(sent.isNear(rig.pose().senderTime, -0.1, tolerance: 0.02))
    }
}
