import Binaural
import DSP
import Foundation
import TestSupport
import Testing

/// Rooms compared with slow references: mirrored planes, Eyring's formula, noise.
@Suite struct RoomTests {
    static func material(_ absorption: Float, scattering: Float = 0) -> RoomMaterial {
        RoomMaterial(
            name: "test", title: "Test", absorption: .init(repeating: absorption, count: 7), scattering: scattering, colour: "#000000",
            source: "test")
    }

    /// A source and a listener in every corner of the conventions: the room is turned, and nobody is in its middle.
    static let room = Shoebox(
        size: SIMD3(7, 5, 3), place: SIMD3(0.6, -0.4, -1.2), turn: 25,
        walls: ["rough-concrete", "folded-curtain", "glass", "wood", "acoustic-ceiling", "felt-carpet"].map { RoomMaterial.named($0)! })

    /// Mirrors a point in the planes of the walls again and again; the planes are made in the world's coordinates.
    static func mirrored(_ room: Shoebox, _ source: SIMD3<Double>, order: Int) -> [(place: SIMD3<Double>, order: Int)] {
        let turn = Double(room.turn) * .pi / 180
        let axes = [SIMD3(cos(turn), sin(turn), 0), SIMD3(-sin(turn), cos(turn), 0), SIMD3(0, 0, 1)]
        let middle = SIMD3<Double>(room.place) + SIMD3(0, 0, Double(room.size[2]) / 2)
        var found: [(place: SIMD3<Double>, order: Int)] = [(source, 0)]
        var latest = [source]
        for step in 1...order {
            var next: [SIMD3<Double>] = []
            for point in latest {
                for axis in 0..<3 {
                    for side in [-1.0, 1] {
                        let wall = middle + axes[axis] * (side * Double(room.size[axis]) / 2)
                        let away = ((point - wall) * axes[axis]).sum()
                        let image = point - 2 * away * axes[axis]
                        let isKnown = found.contains { (($0.place - image) * ($0.place - image)).sum() < 1e-6 }
                        if !isKnown {
                            found.append((image, step))
                            next.append(image)
                        }
                    }
                }
            }
            latest = next
        }
        return found
    }

    @Test(arguments: [1, 2, 3]) func imagesAreMirroredPoints(_ order: Int) {
        let source = SIMD3<Float>(1.3, 0.8, 0.35)
        let found = RoomReflection.all(Self.room, source: source, order: order)
        let wanted = Self.mirrored(Self.room, SIMD3<Double>(source), order: order)
        #expect(found.count == wanted.count && wanted.count == [7, 25, 63][order - 1])
        for (place, number) in wanted {
            let distance = (place * place).sum().squareRoot()
            let azimuth = atan2(place[1], place[0]) * 180 / .pi
            let elevation = asin(place[2] / distance) * 180 / .pi
            let nearest = found.filter { $0.order == number }.min {
                abs(Double($0.distance) - distance) + abs(Double($0.elevation) - elevation)
                    < abs(Double($1.distance) - distance) + abs(Double($1.elevation) - elevation)
            }!
            #expect(abs(Double(nearest.delay) - distance / 343) * 48_000 < 0.5, "\(place): the sample")
            var turn = abs(Double(nearest.azimuth) - azimuth)
            turn = min(turn, 360 - turn)
            #expect(turn * cos(elevation * .pi / 180) < 0.5 && abs(Double(nearest.elevation) - elevation) < 0.5, "\(place): the direction")
        }
    }

    /// A reflection by one wall has that wall's absorption, besides distance and air.
    @Test func reflectionsHaveTheirWallsAndAir() {
        let room = Self.room
        let air = AirAbsorption().decibels
        for (index, wall) in [
            (SIMD3<Int32>(1, 0, 0), Shoebox.Wall.front), (SIMD3(-1, 0, 0), .back), (SIMD3(0, 1, 0), .left), (SIMD3(0, -1, 0), .right),
            (SIMD3(0, 0, 1), .ceiling), (SIMD3(0, 0, -1), .floor),
        ] {
            let image = RoomImage(room, index)
            let material = room.walls[wall.rawValue]
            for band in 0..<7 {
                let kept: Float = 1 - min(0.99, material.absorption[band])
                let wanted: Float = 10 * log10(kept * (1 - material.scattering))
                #expect(abs(image.decibels[band] - wanted) < 1e-3, "\(wall)")
            }
        }
        let direct = RoomReflection.all(room, source: SIMD3(2, 0, 0), order: 1)[0]
        for band in 0..<7 {
            let wanted: Float = -20 * log10(2) - 2 * air[band]
            #expect(abs(direct.decibels[band] - wanted) < 1e-3)
        }
    }

    @Test func reverberationIsEyrings() {
        let room = Shoebox(size: SIMD3(10, 8, 4), walls: .init(repeating: Self.material(0.2), count: 6))
        let (volume, surface) = (320.0, 2.0 * (80 + 40 + 32))
        for band in 0..<7 {
            let m = Double(room.air.decibels[band]) / (10 * log10(exp(1.0)))
            let wanted = 55.2620 / 343 * volume / (-surface * log(0.8) + 4 * m * volume)
            #expect(abs(Double(room.reverberationTimes[band]) / wanted - 1) < 1e-3)
        }
        #expect(abs(room.criticalDistances[3] - 0.1410 * (Float(surface) * 0.2 / 0.8).squareRoot()) < 0.01)
    }

    @Test func materialsAreComplete() {
        #expect(RoomMaterial.all.count >= 30)
        #expect(Set(RoomMaterial.all.map(\.name)).count == RoomMaterial.all.count)
        for material in RoomMaterial.all {
            #expect(material.absorption.allSatisfy { (0...1).contains($0) } && !material.source.isEmpty, "\(material.name)")
        }
    }

    /// Energy of all images of a source in windows from its direct sound on, whatever they were scattered by; of a white impulse.
    static func imageEnergies(_ room: Shoebox, _ source: SIMD3<Float>, window: Float, count: Int, rate: Float) -> [Double] {
        let (from, listener) = (room.inRoom(source), room.inRoom(.zero))
        let direct = ((from - listener) * (from - listener)).sum().squareRoot()
        let reach = direct + Float(count) * window * 343
        var most = SIMD3<Int32>.zero
        for axis in 0..<3 { most[axis] = Int32(reach / room.size[axis]) + 2 }
        var energies = [Double](repeating: 0, count: count)
        // Shares of the octaves in a white spectrum up to half the rate.
        let edges = (0...8).map { $0 == 0 ? 0 : min(rate / 2, 125 * Float(2.0).squareRoot() * exp2(Float($0 - 1))) }
        let air = room.air.decibels
        for x in -most[0]...most[0] {
            for y in -most[1]...most[1] {
                for z in -most[2]...most[2] {
                    let index = SIMD3(x, y, z)
                    var (place, kept) = (SIMD3<Float>.zero, 1.0)
                    for axis in 0..<3 {
                        place[axis] = Float(index[axis]) * room.size[axis] + (index[axis] % 2 == 0 ? 1 : -1) * from[axis]
                        // All walls are alike.
                        kept *= pow(1 - Double(room.walls[0].absorption[0]), Double(abs(index[axis])))
                    }
                    let distance = ((place - listener) * (place - listener)).sum().squareRoot()
                    let at = Int((distance - direct) / 343 / window)
                    guard distance >= direct, at < count else { continue }
                    for band in 0..<8 {
                        let share = Double((edges[band + 1] - edges[band]) / (rate / 2))
                        energies[at] += share * kept * pow(10, -Double(air[band] * distance) / 10) / Double(distance * distance)
                    }
                }
            }
        }
        return energies
    }

    /// Energy in windows of 20 ms from the direct sound on, beside that of all image sources: no step of more than 1 dB between them.
    @Test(arguments: [(SIMD3<Float>(8, 6, 3.2), 0.1), (SIMD3(5, 4, 2.6), 0.2), (SIMD3(20, 15, 8), 0.15)] as [(SIMD3<Float>, Float)])
    func theJoinHasNoStep(_ size: SIMD3<Float>, _ absorption: Float) {
        let (rate, seconds): (Float, Float) = (32_000, 0.02)
        let room = Shoebox(size: size, walls: .init(repeating: Self.material(absorption, scattering: 0.1), count: 6))
        var random = SeededRandom(fixed: 9)
        let window = Int(seconds * rate)
        let count = 10
        var (energies, wanted) = ([Double](repeating: 0, count: count), [Double](repeating: 0, count: count))
        for _ in 0..<12 {
            var source = SIMD3<Float>.zero
            for axis in 0..<3 { source[axis] = Float(random.within(-0.4...0.4)) * size[axis] }
            source[2] += room.place[2] + size[2] / 2
            let response = RoomResponse(room, source: source, order: 3, rate: rate)
            let early = response.samples.indices.map { i in response.late.reduce(response.samples[i]) { $0 - $1[i] } }
            let begin = response.onset - 8
            // Each direction is one sample of the same decay.
            for signal in [early] + response.late {
                for at in 0..<count {
                    for i in begin + at * window..<begin + (at + 1) * window { energies[at] += Double(signal[i] * signal[i]) }
                }
            }
            let own = Self.imageEnergies(room, source, window: seconds, count: count, rate: rate)
            for at in 0..<count { wanted[at] += own[at] }
        }
        let levels = zip(energies, wanted).map { 10 * log10($0 / $1) }
        for at in 0..<count - 1 {
            #expect(abs(levels[at + 1] - levels[at]) < 1, "\(20 * (at + 1)) ms: \(levels)")
        }
        #expect(abs(levels[0]) < 1, "\(levels)")
    }

    /// The tail beside Gaussian noise with the same decay: flatness of its spectra, which single ringing tones would lower.
    @Test func theTailIsAsFlatAsNoise() {
        let rate: Float = 16_000
        let room = Shoebox(size: SIMD3(9, 7, 4), walls: .init(repeating: Self.material(0.1), count: 6))
        let response = RoomResponse(room, source: SIMD3(2, 1, 0), order: 3, rate: rate)
        let time = Double(room.reverberationTimes[2])
        var random = SeededRandom(fixed: 4)
        func flatness(_ samples: [Double]) -> Double {
            var total = 0.0
            let count = 4096
            for part in 0..<4 {
                let begin = Int(0.15 * rate) + part * count / 2
                let windowed = (0..<count).map { (n: Int) -> Double in
                    samples[begin + n] * sin(Double.pi * (Double(n) + 0.5) / Double(count))
                }
                // In groups of 120 lines, since the air absorbs high frequencies more.
                var (logs, sums) = ([Double](repeating: 0, count: 12), [Double](repeating: 0, count: 12))
                for (place, line) in stride(from: 60, to: 1500, by: 3).enumerated() {
                    let turn = -2 * Double.pi * Double(line) / Double(count)
                    var (re, im, c, s) = (0.0, 0.0, 1.0, 0.0)
                    let (stepC, stepS) = (cos(turn), sin(turn))
                    for sample in windowed {
                        re += sample * c
                        im += sample * s
                        (c, s) = (c * stepC - s * stepS, c * stepS + s * stepC)
                    }
                    let power = re * re + im * im
                    logs[place / 40] += log(power)
                    sums[place / 40] += power
                }
                total += zip(logs, sums).reduce(0) { $0 + exp($1.0 / 40) / ($1.1 / 40) } / 12
            }
            return total / 4
        }
        let undecayed = response.samples.enumerated().map { Double($1) * pow(10, 3 * Double($0) / Double(rate) / time) }
        let noise = undecayed.map { _ in random.normal() }
        let (tail, gaussian) = (flatness(undecayed), flatness(noise))
        #expect(tail > gaussian - 0.06, "tail \(tail), noise \(gaussian)")
    }

    @Test func wallsAreBetweenTwoPlaces() {
        let room = Shoebox(size: SIMD3(6, 4, 3), walls: .init(repeating: Self.material(0.2), count: 6))
        let geometry = RoomGeometry(room)
        func level(_ place: SIMD3<Float>, _ listener: SIMD3<Float>) -> Float { geometry.transmission(place, to: listener)[3] }
        // From the room's middle: the same as for the listeners at the origin.
        let outside = SIMD3<Float>(0, 5, 0)
        let wall = geometry.transmission(outside)[3]
        #expect(wall < -5)
        #expect(level(outside, .zero) == wall && level(.zero, outside) == wall)
        #expect(level(SIMD3(2, 1, 0), SIMD3(-2, -1, 1)) == 0)
        // Beside the room there is no wall, through all of it there are two.
        #expect(level(outside, SIMD3(1, 3, 0)) == 0)
        #expect(level(outside, SIMD3(0, -3, 0)) == 2 * wall)
        #expect(level(outside, outside) == 0)
    }
}
