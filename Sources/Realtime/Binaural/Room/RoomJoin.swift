internal import DSP
internal import Glibc

/// The share of a room's energy that its image sources leave to the late field, over time, and the level of the late field.
///
/// Found by counting: of all images of sources at random places, the energy of those that are rendered is compared with that of all.
public struct RoomJoin: Sendable {
    /// Length of a bin, seconds.
    public static let bin: Float = 0.004
    /// Share of the energy that the late field has in each bin: 0 to 1, rising.
    public let shares: [Float]
    /// Level of the images' energy at the join relative to the room's mean energy, decibels in the octaves of `OctaveFilter`.
    public let decibels: SIMD8<Float>

    /// - Parameters:
    ///   - order: highest order of the image sources that are rendered; 0 for none.
    ///   - isWanted: called from time to time; returns whether to continue.
    /// - Returns: nil when `isWanted` returned false.
    public init?(_ room: Shoebox, order: Int, isWanted: () -> Bool = { true }) {
        let order = max(0, min(RoomImage.mostOrder, order))
        // The last image of an order is behind the two walls that are farthest apart. In long rooms it arrives too late.
        let longest = max(room.size[0], max(room.size[1], room.size[2]))
        let reach = Float(order + 1) * min(longest, 2 * cbrtf(room.volume)) + 1
        let speed = MicrophoneArray.speedOfSound
        let bins = Int(clamping: reach / speed / Self.bin) + 2
        var rendered = [Float](repeating: 0, count: bins)
        var all = [Float](repeating: 0, count: bins)
        // Energy of the rendered images without the loss by scattering: late sound begins where images are missing, which is after the
        // direct sound.
        var covered = [Float](repeating: 0, count: bins)
        var octaves = [SIMD8<Float>](repeating: .zero, count: bins)
        var most = SIMD3<Int32>.zero
        for axis in 0..<3 { most[axis] = Int32(clamping: reach / room.size[axis]) + 2 }
        let middle = room.inRoom(.zero)
        var random = SeededRandom(seed: 7)
        let air = room.air.decibels
        let places = (0..<8).map { _ in
            SIMD3<Float>(
                Float(random.within(-0.45...0.45)), Float(random.within(-0.45...0.45)), Float(random.within(-0.45...0.45))) * room.size
        }
        for x in -most[0]...most[0] {
            guard isWanted() else { return nil }
            for y in -most[1]...most[1] {
                for z in -most[2]...most[2] {
                    let image = RoomImage(room, SIMD3(x, y, z))
                    let unscattered = Self.scattering(room, image)
                    for place in places {
                        let away = image.place(place) - middle
                        let distance = (away * away).sum().squareRoot()
                        guard distance > 0.1, distance < reach else { continue }
                        let at = Int(clamping: distance / speed / Self.bin)
                        guard image.order > 0 else { continue }
                        var energy = SIMD8<Float>.zero
                        for band in 0..<8 {
                            let level = image.decibels[band] - air[band] * distance
                            energy[band] = powf(10, level / 10) / unscattered / (distance * distance) / Float(places.count)
                        }
                        octaves[at] += energy
                        // Shares are those of the octaves from 500 Hz to 2 kHz.
                        let middle = energy[2] + energy[3] + energy[4]
                        all[at] += middle
                        if image.order <= order {
                            rendered[at] += middle * unscattered
                            covered[at] += middle
                        }
                    }
                }
            }
        }
        var (shares, largest) = ([Float](repeating: 1, count: bins), Float(0))
        for at in 0..<bins {
            // Three bins together, since single ones may have few images.
            let near = max(0, at - 1)...min(bins - 1, at + 1)
            let whole = near.reduce(Float(0)) { $0 + all[$1] }
            let part = near.reduce(Float(0)) { $0 + rendered[$1] }
            let sure = near.reduce(Float(0)) { $0 + covered[$1] }
            if whole > 0, largest > 0 || sure < 0.97 * whole { largest = max(largest, 1 - part / whole) }
            shares[at] = at == bins - 1 ? 1 : min(1, largest)
        }
        self.shares = shares
        decibels = Self.level(room, octaves, from: shares.firstIndex { $0 > 0.1 } ?? 0)
    }

    /// Share of the energy that the walls of an image leave unscattered.
    private static func scattering(_ room: Shoebox, _ image: RoomImage) -> Float {
        var share: Float = 1
        for axis in 0..<3 {
            let count = Int(image.index[axis])
            let (more, fewer) = ((abs(count) + 1) / 2, abs(count) / 2)
            let hits = count > 0 ? [more, fewer] : [fewer, more]
            for side in 0..<2 { for _ in 0..<hits[side] { share *= 1 - room.walls[2 * axis + side].scattering } }
        }
        return max(1e-6, share)
    }

    /// Energy of the images from a bin on, relative to the mean energy of the room's decay.
    private static func level(_ room: Shoebox, _ octaves: [SIMD8<Float>], from first: Int) -> SIMD8<Float> {
        let times = room.reverberationTimes
        var decibels = SIMD8<Float>.zero
        let first = min(first, max(0, octaves.count - 4))
        for band in 0..<8 {
            var (found, expected) = (Float(0), Float(0))
            for at in first..<max(first + 1, octaves.count - 1) {
                found += octaves[at][band]
                expected += LateField.energy(room, seconds: (Float(at) + 0.5) * bin, reverberation: times[band]) * bin
            }
            let ratio = expected > 0 ? found / expected : 1
            decibels[band] = max(-6, min(6, 10 * log10f(max(1e-3, ratio))))
        }
        return decibels
    }
}
