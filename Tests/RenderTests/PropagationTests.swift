import Binaural
import Crossing
import DSP
import Foundation
import Parameters
import Render
import RenderCore
import RenderInterface
import TestSupport
import Testing

/// The way of an object's sound to the heads, at both ears: levels, air, delays and directivity, compared with formulas.
@Suite struct PropagationTests {
    static let rate = 48_000.0
    /// Frames of a sound that begins with an impulse: lines 12.5 Hz apart.
    static let length = 3840

    static func settled(_ settings: [(ObjectParameter, Float)], blocks: Int = 720) -> (left: [Float], right: [Float]) {
        var harness = ObjectTests.scene()
        _ = harness.sounds.send(ObjectSound(object: 0, mono: [1] + [Float](repeating: 0, count: length - 1)))
        for (parameter, value) in settings { harness.set(parameter, value) }
        harness.render(blocks: blocks)
        return (Array(harness.left.suffix(length)), Array(harness.right.suffix(length)))
    }

    static func level(_ response: [Float], _ hertz: Double) -> Double {
        var (re, im) = (0.0, 0.0)
        for (n, sample) in response.enumerated() {
            re += Double(sample) * cos(2 * .pi * hertz * Double(n) / rate)
            im -= Double(sample) * sin(2 * .pi * hertz * Double(n) / rate)
        }
        return 10 * log10(re * re + im * im)
    }

    static func power(_ samples: some Sequence<Float>) -> Double { 10 * log10(samples.reduce(1e-30) { $0 + Double($1 * $1) }) }

    /// One over the distance, relative to the reference; the same within the bubble.
    @Test(arguments: [(1, 1, 0), (2, 1, 0), (10, 3, 0), (0.1, 1, 0), (5, 2, 1), (100, 1, 0)] as [(Float, Float, Float)])
    func levelsFollowTheDistance(_ distance: Float, _ reference: Float, _ bubble: Float) {
        let plain = Self.settled([(.azimuth, 40)])
        let other = Self.settled([(.azimuth, 40), (.distance, distance), (.reference, reference), (.bubble, bubble)])
        let wanted = 20 * log10(Double(reference / max(0.2, max(bubble, distance))))
        let found = Self.level(other.left, 1000) - Self.level(plain.left, 1000)
        #expect(abs(found - wanted) < 0.05, "\(distance) m: \(found) dB, \(wanted) dB")
    }

    /// ISO 9613-1 computed here in double precision.
    static func iso(_ hertz: Double, celsius: Double, humidity: Double) -> Double {
        let t = celsius + 273.15
        let h = humidity * pow(10, -6.8346 * pow(273.16 / t, 1.261) + 4.6151)
        let oxygen = 24 + 4.04e4 * h * (0.02 + h) / (0.391 + h)
        let nitrogen = pow(t / 293.15, -0.5) * (9 + 280 * h * exp(-4.170 * (pow(t / 293.15, -1.0 / 3) - 1)))
        let square = hertz * hertz
        let relaxation =
            0.01275 * exp(-2239.1 / t) / (oxygen + square / oxygen) + 0.1068 * exp(-3352.0 / t) / (nitrogen + square / nitrogen)
        return 8.686 * square * (1.84e-11 * pow(t / 293.15, 0.5) + pow(t / 293.15, -2.5) * relaxation)
    }

    /// Within 0.1 dB at 50 m in every octave from 125 Hz to 8 kHz.
    @Test(arguments: [(50, 20, 50), (50, 0, 20), (50, 35, 90), (10, 20, 50), (100, 20, 50)] as [(Float, Float, Float)])
    func airAbsorbsByTheStandard(_ distance: Float, _ temperature: Float, _ humidity: Float) {
        func render(_ air: Float) -> [Float] {
            var harness = ObjectTests.scene()
            _ = harness.sounds.send(ObjectSound(object: 0, mono: [1] + [Float](repeating: 0, count: Self.length - 1)))
            harness.set(AirParameter.temperature, temperature)
            harness.set(AirParameter.humidity, humidity)
            harness.set(ObjectParameter.distance, distance)
            harness.set(ObjectParameter.air, air)
            harness.render(blocks: 720)
            return Array(harness.left.suffix(Self.length))
        }
        let (with, without) = (render(1), render(0))
        for hertz in [125, 250, 500, 1000, 2000, 4000, 8000.0] {
            let found = Self.level(with, hertz) - Self.level(without, hertz)
            let wanted = -Double(distance) * Self.iso(hertz, celsius: Double(temperature), humidity: Double(humidity))
            #expect(abs(found - wanted) < 0.1, "\(hertz) Hz at \(distance) m: \(found) dB, \(wanted) dB")
        }
    }

    /// The delay is the distance over the speed of sound.
    @Test(arguments: [1, 3.43, 20, 100] as [Float]) func soundTakesItsTime(_ distance: Float) {
        let (near, far) = (Self.settled([(.distance, distance)]), Self.settled([(.distance, distance), (.doppler, 1)], blocks: 1200))
        // From the phases at two lines.
        func phase(_ response: [Float], _ hertz: Double) -> Double {
            var (re, im) = (0.0, 0.0)
            for (n, sample) in response.enumerated() {
                re += Double(sample) * cos(2 * .pi * hertz * Double(n) / Self.rate)
                im -= Double(sample) * sin(2 * .pi * hertz * Double(n) / Self.rate)
            }
            return atan2(im, re)
        }
        let wanted = Double(distance) / 343 * Self.rate
        for hertz in [500, 2000.0, 9000] {
            var turn = (phase(near.left, hertz) - phase(far.left, hertz)) / (2 * .pi) - wanted * hertz / Self.rate
            turn -= turn.rounded()
            #expect(abs(turn) * Self.rate / hertz < 0.01, "\(hertz) Hz: \(turn * Self.rate / hertz) samples")
        }
    }

    /// A tone from an object that moves away or comes nearer.
    static func moving(_ speed: Double, hertz: Double, every interval: Int = 1) -> [Float] {
        var harness = ObjectTests.scene()
        let frames = 4800
        _ = harness.sounds.send(
            ObjectSound(object: 0, mono: (0..<frames).map { Float(0.5 * sin(2 * .pi * hertz * Double($0) / rate)) }))
        harness.set(ObjectParameter.doppler, 1)
        let begin = speed > 0 ? 10.0 : 40.0
        let (tree, store) = (harness.tree, harness.store)
        harness.render(
            blocks: 1125 + 400,
            before: { block, _ in
                let time = Double(max(0, block - 200) / interval * interval) * 64 / rate
                store.set(tree.index(ObjectParameter.distance), Float(begin + speed * time))
            })
        return harness.left
    }

    @Test(arguments: [10, -10] as [Double], [440, 1000, 8000] as [Double]) func motionChangesThePitch(_ speed: Double, _ hertz: Double) {
        let sound = Self.moving(speed, hertz: hertz).suffix(32_768).map(Double.init)
        let count = sound.count
        // Blackman and Harris's window, 92 dB.
        let windowed = sound.enumerated().map { n, x in
            let turn = 2 * Double.pi * Double(n) / Double(count)
            return x * (0.35875 - 0.48829 * cos(turn) + 0.14128 * cos(2 * turn) - 0.01168 * cos(3 * turn))
        }
        let spectrum = Self.powers(windowed)
        let peak = spectrum.indices.max { spectrum[$0] < spectrum[$1] }!
        // The mean of the lines around the peak, weighted by their power.
        let near = (peak - 6)...(peak + 6)
        let line = near.reduce(0) { $0 + Double($1) * spectrum[$1] } / near.reduce(0) { $0 + spectrum[$1] }
        let found = line * Self.rate / Double(count)
        let wanted = hertz / (1 + speed / 343)
        #expect(abs(found / wanted - 1) < 0.001, "\(found) Hz, \(wanted) Hz")
        // The level changes with the distance, which widens the line a little.
        let inside = ((peak - 20)...(peak + 20)).reduce(0) { $0 + spectrum[$1] }
        let outside = spectrum.reduce(0, +) - inside
        #expect(10 * log10(outside / inside) < -70, "\(speed) m/s, \(hertz) Hz: \(10 * log10(outside / inside)) dB")
    }

    /// Clients that set the distance sixty times a second are heard without roughness.
    @Test func rarePositionsAreSmooth() {
        let sound = Self.moving(10, hertz: 1000, every: 12).suffix(32_768).map(Double.init)
        let windowed = sound.enumerated().map { n, x in
            let turn = 2 * Double.pi * Double(n) / Double(sound.count)
            return x * (0.35875 - 0.48829 * cos(turn) + 0.14128 * cos(2 * turn) - 0.01168 * cos(3 * turn))
        }
        let spectrum = Self.powers(windowed)
        let peak = spectrum.indices.max { spectrum[$0] < spectrum[$1] }!
        let inside = ((peak - 20)...(peak + 20)).reduce(0) { $0 + spectrum[$1] }
        let outside = spectrum.reduce(0, +) - inside
        #expect(10 * log10(outside / inside) < -30, "\(10 * log10(outside / inside)) dB")
    }

    /// Powers of the lines of a spectrum, up to half the rate.
    static func powers(_ samples: [Double]) -> [Double] {
        let count = samples.count
        var (re, im) = (samples, [Double](repeating: 0, count: count))
        var j = 0
        for i in 1..<count {
            var bit = count >> 1
            while j & bit != 0 {
                j ^= bit
                bit >>= 1
            }
            j |= bit
            if i < j { re.swapAt(i, j) }
        }
        var span = 2
        while span <= count {
            for k in 0..<span / 2 {
                let (c, s) = (cos(-2 * .pi * Double(k) / Double(span)), sin(-2 * .pi * Double(k) / Double(span)))
                for begin in stride(from: k, to: count, by: span) {
                    let other = begin + span / 2
                    let (x, y) = (re[other] * c - im[other] * s, re[other] * s + im[other] * c)
                    (re[other], im[other]) = (re[begin] - x, im[begin] - y)
                    (re[begin], im[begin]) = (re[begin] + x, im[begin] + y)
                }
            }
            span *= 2
        }
        return (0..<count / 2).map { (line: Int) -> Double in re[line] * re[line] + im[line] * im[line] }
    }

    /// A distance that jumps, and a switch that is turned, change the sound no faster than the limit of the speed allows.
    @Test(arguments: ["distance", "doppler", "air", "directivity", "bubble"]) func jumpsDoNotClick(_ what: String) {
        var harness = ObjectTests.scene()
        _ = harness.sounds.send(ObjectSound(object: 0, mono: ObjectTests.sine(500)))
        harness.set(ObjectParameter.doppler, what == "doppler" ? 0 : 1)
        harness.set(ObjectParameter.distance, 2)
        harness.set(ObjectParameter.reference, 2)
        harness.render(blocks: 300)
        switch what {
        case "distance": harness.set(ObjectParameter.distance, 30)
        case "doppler": harness.set(ObjectParameter.doppler, 1)
        case "air": harness.set(ObjectParameter.air, 1)
        case "directivity": harness.set(ObjectParameter.directivity, 0.5)
        default: harness.set(ObjectParameter.bubble, 2.5)
        }
        let cut = harness.left.count
        harness.render(blocks: 600)
        func steepest(_ range: Range<Int>) -> Float { range.reduce(0) { max($0, abs(harness.left[$1] - harness.left[$1 - 1])) } }
        let (before, after) = (steepest(cut - 2000..<cut), steepest(cut..<harness.left.count))
        #expect(after < before * 1.25, "\(what): \(after), \(before)")
    }

    /// A sphere, a cardioid and a figure of eight, turned about.
    @Test func directivityIsOfFirstOrder() {
        let plain = Self.settled([]).left
        for (share, yaw, pitch, wanted) in [
            (0.5, 180, 0, 1), (0.5, 0, 0, 0), (0.5, 90, 0, 0.5), (0.5, 0, 90, 0.5), (1, 180, 0, 1), (1, 0, 0, -1), (1, 90, 0, 0),
            (1, 120, 0, 0.5), (0.25, 0, 0, 0.5), (0, 0, 0, 1),
        ] as [(Float, Float, Float, Float)] {
            let found = Self.settled([(.directivity, share), (.yaw, yaw), (.pitch, pitch)]).left
            let most = zip(found, plain).map { abs($0 - wanted * $1) }.max()!
            #expect(most < 1e-5, "share \(share), yaw \(yaw), pitch \(pitch): \(most)")
        }
    }

    /// Inside the bubble the sound comes from all around, as loud as at its edge.
    @Test func bubblesSurround() {
        func noise(_ settings: [(ObjectParameter, Float)]) -> (left: [Float], right: [Float]) {
            var random = SeededRandom(fixed: 5)
            var harness = ObjectTests.scene()
            _ = harness.sounds.send(ObjectSound(object: 0, mono: (0..<48_000).map { _ in Float(0.2 * random.white()) }))
            for (parameter, value) in settings { harness.set(parameter, value) }
            harness.render(blocks: 900)
            return (Array(harness.left.suffix(48_000)), Array(harness.right.suffix(48_000)))
        }
        let edge = noise([(.azimuth, 90), (.distance, 2), (.bubble, 2)])
        let inside = noise([(.azimuth, 90), (.distance, 0.5), (.bubble, 2)])
        let plain = noise([(.azimuth, 90), (.distance, 2)])
        #expect(edge.left == plain.left && edge.right == plain.right, "at the edge there is the object alone")
        #expect(Self.power(edge.left) - Self.power(edge.right) > 5)
        let difference = Self.power(inside.left) - Self.power(inside.right)
        #expect(abs(difference) < 1.5, "\(difference) dB between the ears")
        let both = [edge, inside].map { Self.power($0.left + $0.right) }
        #expect(abs(both[1] - both[0]) < 2, "\(both[1] - both[0]) dB inside")
    }

    /// One object's solo silences the others.
    @Test func soloSilencesTheOthers() {
        var harness = ObjectTests.scene(objects: 3)
        for object in 0..<3 {
            _ = harness.sounds.send(ObjectSound(object: object, mono: ObjectTests.sine(500 * Double(object + 1))))
        }
        harness.set(ObjectParameter.solo, 1, of: 1)
        harness.render(blocks: 900)
        let tail = Array(harness.left.suffix(4800))
        #expect(Self.level(tail, 1000) > 40)
        #expect(Self.level(tail, 500) < -20 && Self.level(tail, 1500) < -20)
        harness.set(ObjectParameter.mute, 1, of: 1)
        harness.render(blocks: 900)
        #expect(harness.left.suffix(640).allSatisfy { $0 == 0 })
    }
}
