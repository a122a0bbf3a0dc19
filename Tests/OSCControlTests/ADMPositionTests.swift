import DSP
import Foundation
import Parameters
import TestSupport
import Testing

@testable import OSCControl

/// Coordinates and gains of the specification of ADM-OSC v1.0.
@Suite struct ADMPositionTests {
    /// Azimuth, elevation, distance; x, y, z. The corners of the specification's figure and positions derived from
    /// them.
    static let table: [(polar: [Float], cartesian: [Double])] = [
        ([0, 0, 1], [0, 1, 0]),
        ([90, 0, 1], [-1, 0, 0]),
        ([-90, 0, 1], [1, 0, 0]),
        ([180, 0, 1], [0, -1, 0]),
        ([45, 0, 0.5], [-0.353_553, 0.353_553, 0]),
        ([-45, 0, 1.414_213_6], [1, 1, 0]),
        ([-135, 0, 1.414_213_6], [1, -1, 0]),
        ([30, 60, 1], [-0.25, 0.433_013, 0.866_025]),
        ([30, -60, 1], [-0.25, 0.433_013, -0.866_025]),
        ([-45, 35.264_39, 1.732_050_8], [1, 1, 1]),
    ]

    @Test(arguments: table)
    func conversionsAreInverse(_ row: (polar: [Float], cartesian: [Double])) throws {
        let there = ADMPosition(azimuth: row.polar[0], elevation: row.polar[1], distance: Double(row.polar[2]))
        for (found, expected) in zip([there.x, there.y, there.z], row.cartesian) { #expect(abs(found - expected) < 1e-6, "\(there)") }
        let back = ADMPosition(x: row.cartesian[0], y: row.cartesian[1], z: row.cartesian[2])
        #expect(abs(try #require(back.azimuth) - row.polar[0]) < 1e-4)
        #expect(abs(try #require(back.elevation) - row.polar[1]) < 1e-4)
        #expect(abs(Float(back.distance) - row.polar[2]) < 1e-6)
    }

    @Test func everyDirectionRoundTrips() throws {
        var random = SeededRandom()
        for _ in 0..<2000 {
            let (azimuth, elevation) = (Float.random(in: -180...180, using: &random), Float.random(in: -89.5...89.5, using: &random))
            let distance = Double.random(in: 0.01...2, using: &random)
            let position = ADMPosition(azimuth: azimuth, elevation: elevation, distance: distance)
            let (turned, tilted) = (abs(try #require(position.azimuth) - azimuth), abs(try #require(position.elevation) - elevation))
            #expect(min(turned, 360 - turned) < 1e-3 && tilted < 1e-3)
            #expect(abs(position.distance - distance) < 1e-9)
        }
    }

    @Test func undefinedDirectionsAreNil() {
        let (origin, zenith, nadir) = (ADMPosition(x: 0, y: 0, z: 0), ADMPosition(x: 0, y: 0, z: 0.5), ADMPosition(x: 0, y: 0, z: -2))
        #expect(origin.azimuth == nil && origin.elevation == nil && origin.distance == 0)
        #expect(zenith.azimuth == nil && zenith.elevation == 90 && zenith.distance == 0.5)
        #expect(nadir.azimuth == nil && nadir.elevation == -90)
        // Straight back is 180 for either zero.
        #expect(ADMPosition(x: 0, y: -1, z: 0).azimuth == 180 && ADMPosition(x: -0.0, y: -1, z: 0).azimuth == 180)
        // -180 and 180 are the same position, without rounding errors of sines.
        #expect(ADMPosition(azimuth: -180, elevation: 0, distance: 1) == ADMPosition(azimuth: 180, elevation: 0, distance: 1))
        #expect(ADMPosition(azimuth: 77, elevation: 90, distance: 1) == ADMPosition(x: 0, y: 0, z: 1))
    }

    @Test func distantPositionsAreScaledIntoTheCube() throws {
        let far = ADMPosition(azimuth: 30, elevation: 20, distance: 7)
        let inside = far.inCube
        #expect(max(abs(inside.x), abs(inside.y), abs(inside.z)) == 1)
        #expect(abs(try #require(inside.azimuth) - 30) < 1e-4)
        #expect(abs(try #require(inside.elevation) - 20) < 1e-4)
        let corner = ADMPosition(x: 1, y: -1, z: 1)
        #expect(corner.inCube == corner)
    }

    @Test func gainsConvertBetweenFactorsAndDecibels() {
        let spec = ObjectParameter.gain.spec
        for (factor, decibels) in [(1, 0), (0.5, -6.0206), (0.707_106_8, -3.0103), (2, 6.0206), (0, -60), (1e-4, -60)] as [(Float, Float)] {
            #expect(abs(ADMGain.decibels(factor, spec) - decibels) < 1e-3, "\(factor)")
        }
        // The lowest level in decibels is silence, and is converted back to that.
        #expect(ADMGain.factor(-60, spec) == 0 && ADMGain.factor(0, spec) == 1)
        for decibels in stride(from: Float(-59.5), through: 12, by: 0.5) {
            #expect(abs(ADMGain.decibels(ADMGain.factor(decibels, spec), spec) - decibels) < 1e-3)
        }
    }
}
