import Crossing
import DSP
import Foundation
import Hub
import Parameters
import Pose
import RenderInterface
import TestSupport
import Testing

/// Counted and published latencies at given times.
@Suite struct LatencyTests {
    @Test func percentilesEqualThoseOfTheSortedValues() {
        var random = SeededRandom()
        for spread in [1.0, 3.0, 8.0] {
            // From tens of microseconds to seconds.
            let values = (0..<5000).map { _ in Int64(exp(random.unit() * spread + 10) + 1000) }
            var histogram = LogLinearHistogram()
            for value in values { histogram.add(value) }
            let sorted = values.sorted()
            let expected = [0.5, 0.95, 0.99].map { sorted[Int((($0 * 5000).rounded(.up)) - 1)] } + [sorted.last!]
            for (found, exact) in zip(histogram.summary, expected) {
                let error = abs(Double(found) * 1e6 / Double(exact) - 1)
                // The resolution is a microsecond.
                #expect(error < max(0.009, 1000 / Double(exact)), "\(found) ms for \(exact) ns")
            }
            #expect(histogram.counts(bounds: ListenerLatency.bounds).reduce(0, +) == 5000)
        }
    }

    @Test func durationsOutOfRangeAreCounted() {
        var histogram = LogLinearHistogram()
        for value in [-5, 0, 1, Int64.max] { histogram.add(value) }
        #expect(histogram.count == 4)
        #expect(histogram.counts(bounds: [1]) == [3, 1])
    }

    private final class Rig {
        let hub: Hub
        let telemetry: Telemetry
        var stamps: Ring<LatencyStamp>.Producer
        let arrivals = PoseArrivals()

        private var delayed: [LatencyStamp] = []

        init() {
            let tree = ParameterTree(listeners: 2, methods: ["one"])
            hub = Hub(store: ParameterStore(tree), matches: { _, _ in false })
            let stamps = Ring<LatencyStamp>(capacity: 1024)
            let microphones = Ring<MicrophoneFrame>(capacity: 8)
            let engine = Latest(EngineFrame())
            let meters = (0..<2).map { _ in
                let ring = Ring<ListenerFrame>(capacity: 8)
                return Parcel(ring.consumer)
            }
            telemetry = Telemetry(
                hub: hub, rate: 48_000, period: 64, engine: engine.reader, microphones: microphones.consumer,
                stamps: [Parcel(stamps.consumer)], listeners: meters, arrivals: [[], [arrivals]])
            self.stamps = stamps.producer
        }

        func value(_ parameter: ListenerLatency, _ listener: Int = 1) -> [Float] {
            hub.value(hub.tree.index(parameter, listener)).numbers
        }

        /// Adds a pose of listener 2: 1 ms of transmission, 0.5 ms waiting, 0.2 ms rendering, 3 ms until the output.
        /// - Parameter isDelayed: whether its stamp comes with ``deliver(until:)``, 25 ms later.
        func pose(at time: UInt64, isTagged: Bool = true, isDelayed: Bool = false) {
            let interval = arrivals.note(receiveTime: time)
            let stamp = LatencyStamp(
                listener: 1, senderTime: isTagged ? time - 1_000_000 : 0, receiveTime: time, interval: interval,
                blockTime: time + 500_000, renderedTime: time + 700_000, sample: 0, outputTime: time + 3_700_000)
            if isDelayed { delayed.append(stamp) } else { _ = stamps.push(stamp) }
        }

        func deliver(until time: UInt64) {
            while let stamp = delayed.first, time == .max || stamp.receiveTime + 25_000_000 <= time {
                _ = stamps.push(stamp)
                delayed.removeFirst()
            }
        }
    }

    @Test func everyLatencyStageIsPublishedForItsListener() {
        let rig = Rig()
        let start: UInt64 = 100_000_000_000
        for i in 0..<300 { rig.pose(at: start + UInt64(i) * 10_000_000) }
        rig.telemetry.publish(now: start + 3_000_000_000)
        for (parameter, expected) in [
            (ListenerLatency.motionToSound, Float(4.7)), (.transmission, 1), (.interval, 10), (.waiting, 0.5),
            (.rendering, 0.2), (.output, 3),
        ] {
            for value in rig.value(parameter) { #expect(abs(value - expected) < 0.009 * expected + 0.001, "\(parameter)") }
        }
        #expect(rig.value(.motionToSound, 0) == [0, 0, 0, 0])
        let histogram = rig.value(.histogram)
        #expect(histogram.reduce(0, +) == 300)
        // 4.7 ms lie between 4 and 4.76.
        #expect(histogram[17] == 300 && abs(ListenerLatency.bounds[17] - 4.757) < 0.001)
        // The total is the sum of the stages.
        let parts = [ListenerLatency.transmission, .waiting, .rendering, .output].map { rig.value($0)[0] }.reduce(0, +)
        #expect(abs(parts - rig.value(.motionToSound)[0]) < 0.1)
        #expect(rig.value(.unused) == [0] && rig.value(.lost) == [0] && rig.value(.jitter) == [0])

        // After five seconds nothing is left, and the rate is 0.
        rig.pose(at: start + 3_100_000_000, isTagged: false)
        rig.telemetry.publish(now: start + 3_600_000_000)
        #expect(abs(rig.value(.rate)[0] - 1.7) < 0.11)
        rig.telemetry.publish(now: start + 9_000_000_000)
        rig.telemetry.publish(now: start + 10_000_000_000)
        #expect(rig.value(.motionToSound) == [0, 0, 0, 0] && rig.value(.rate) == [0])
    }

    @Test func withoutTheSendersClockLatencyStartsAtTheKernel() {
        let rig = Rig()
        for i in 0..<50 { rig.pose(at: 100_000_000_000 + UInt64(i) * 10_000_000, isTagged: false) }
        rig.telemetry.publish(now: 101_000_000_000)
        #expect(abs(rig.value(.motionToSound)[0] - 3.7) < 0.04)
        #expect(rig.value(.transmission) == [0, 0, 0, 0])
    }

    @Test func jitterAndLossAreDerivedFromTheIntervals() {
        func arrive(_ times: [Double]) -> PoseArrivals {
            let arrivals = PoseArrivals()
            for time in times { _ = arrivals.note(receiveTime: UInt64((time + 10) * 1e9)) }
            return arrivals
        }
        let even = (0..<1000).map { Double($0) / 100 }
        #expect(arrive(even).lost == 0 && arrive(even).jitterMilliseconds < 0.001)
        // Every fiftieth pose is missing.
        let gaps = arrive(even.enumerated().filter { $0.offset % 50 != 49 }.map(\.element))
        #expect(gaps.count == 980 && gaps.lost >= 18 && gaps.lost <= 20)
        // Alternately 2 ms early and late: intervals of 8 and 12 ms.
        let uneven = arrive(even.enumerated().map { $0.element + ($0.offset % 2 == 0 ? 0.001 : -0.001) })
        #expect(abs(uneven.jitterMilliseconds - 2) < 0.2 && uneven.lost == 0)
        // A sender without a regular interval has no detectable loss.
        var random = SeededRandom(fixed: 4)
        var time = 0.0
        let any = arrive(
            (0..<1000).map { _ in
                time += -0.02 * log(1 - random.unit())
                return time
            })
        #expect(any.lost == 0)
        // Neither has one that only jitters, or that makes up for a late pose.
        for width in [0.005, 0.008, 0.009] {
            var next = 0.0
            let jittering = arrive(
                (0..<5000).map { _ -> Double in
                    let share: Double = 2 * random.unit() - 1
                    next += 0.01 + width * share
                    return next
                })
            #expect(jittering.lost == 0, "intervals of 10 ± \(1000 * width) ms")
        }
        let late = arrive(
            (0..<5000).map { (number: Int) -> Double in
                let lateness: Double = number % 37 == 36 ? 0.0095 : 0
                return Double(number) / 100 + lateness
            })
        #expect(late.lost == 0)
    }

    @Test func supersededPosesNeverBecomeFewer() {
        let rig = Rig()
        var counts: [Float] = []
        let begin: UInt64 = 100_000_000_000
        for i in 0..<400 {
            let time = begin + UInt64(i) * 10_000_000
            // The first of every four poses is superseded by the second.
            let isSuperseded = i % 4 == 0
            if isSuperseded { _ = rig.arrivals.note(receiveTime: time) } else { rig.pose(at: time, isTagged: false, isDelayed: true) }
            rig.deliver(until: time)
            if i % 51 == 50 {
                rig.telemetry.publish(now: time)
                counts += rig.value(.unused)
            }
        }
        rig.deliver(until: .max)
        rig.telemetry.publish(now: begin + 4_500_000_000)
        rig.telemetry.publish(now: begin + 5_000_000_000)
        counts += rig.value(.unused)
        #expect(counts == counts.sorted() && counts.last == 100, "\(counts)")
        // They follow soon.
        #expect(counts[3] > 25)
    }
}
