internal import DSP
internal import Glibc

/// A mirror image of a source in a ``Shoebox``: where it is for any place of the source, and the walls that it was reflected by.
public struct RoomImage: BitwiseCopyable, Sendable {
    /// Number of reflections along each axis; negative towards the back, right and floor.
    public let index: SIMD3<Int32>
    /// The image is at `sign` times the source plus `shift`, in room coordinates.
    public let sign: SIMD3<Float>
    public let shift: SIMD3<Float>
    /// Levels after absorption and scattering by the walls, decibels in the octaves of `OctaveFilter`.
    public let decibels: SIMD8<Float>

    /// Walls that sound from the source may reach first, one along each axis: bit 2 * axis + side, as in ``Shoebox/Wall``.
    public let first: UInt8

    /// Largest order.
    public static let mostOrder = 5
    /// Number of images of all orders up to the largest.
    public static let most = 230

    public init(_ room: Shoebox, _ index: SIMD3<Int32>) {
        self.index = index
        var (sign, shift, energy) = (SIMD3<Float>(repeating: 1), SIMD3<Float>.zero, SIMD8<Float>(repeating: 1))
        var first: UInt8 = 0
        for axis in 0..<3 {
            let count = Int(index[axis])
            sign[axis] = count % 2 == 0 ? 1 : -1
            shift[axis] = Float(count) * room.size[axis]
            let (more, fewer) = ((abs(count) + 1) / 2, abs(count) / 2)
            let hits = count > 0 ? [more, fewer] : [fewer, more]
            // Hits alternate, and the last one is at the side of the image.
            if count != 0 { first |= 1 << UInt8(2 * axis + ((count > 0) == (count % 2 != 0) ? 0 : 1)) }
            for side in 0..<2 {
                let wall = room.walls[2 * axis + side]
                for _ in 0..<hits[side] { energy *= wall.reflection * (1 - wall.scattering) }
            }
        }
        self.first = first
        self.sign = sign
        self.shift = shift
        var levels = SIMD8<Float>.zero
        for band in 0..<8 { levels[band] = 10 * log10f(max(1e-12, energy[band])) }
        decibels = levels
    }

    /// Number of reflections.
    public var order: Int { Int(abs(index[0]) + abs(index[1]) + abs(index[2])) }

    /// The image's place in room coordinates.
    @_noLocks @_noAllocation
    public func place(_ source: SIMD3<Float>) -> SIMD3<Float> { sign * source + shift }

    /// Images of orders 1 to `order`, the earliest first for a source in the middle.
    public static func all(_ room: Shoebox, order: Int) -> [RoomImage] {
        var images: [RoomImage] = []
        let most = Int32(max(0, min(mostOrder, order)))
        for x in -most...most {
            for y in -most...most where abs(x) + abs(y) <= most {
                let rest = most - abs(x) - abs(y)
                for z in -rest...rest where x != 0 || y != 0 || z != 0 { images.append(RoomImage(room, SIMD3(x, y, z))) }
            }
        }
        func far(_ image: RoomImage) -> Float { (image.shift * image.shift).sum() }
        images.sort { far($0) < far($1) }
        return images
    }
}
