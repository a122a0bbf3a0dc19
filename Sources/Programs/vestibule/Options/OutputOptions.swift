import ArgumentParser
import FileOutput
import Foundation
import Media
import Parameters

/// The treatment of files that a command would write over.
struct OutputOptions: ParsableArguments {
    @Flag(help: "Replace existing files, but never one that is read. Without it they are kept; on a terminal the program asks.")
    var overwrite = false

    /// Opens an output.
    ///
    /// - Parameters:
    ///   - inputs: files that the command reads, and folders whose files it reads.
    /// - Throws: `OutputError` for an input, and for an existing file that is not to be replaced.
    func open(_ path: String, inputs: [String] = []) throws -> OutputFile {
        try OutputFile(path, existing: existing(path, inputs: inputs), inputs: inputs, isSynced: true)
    }

    /// Asks about an existing file, if there is one and the input is a terminal.
    /// - Throws: `OutputError` when the file may not be written.
    func existing(_ path: String, inputs: [String] = []) throws -> OutputFile.Existing {
        if overwrite { return .replacedUnlessRead }
        do { try OutputFile.check(path, inputs: inputs) } catch {
            guard error.kind == .exists else { throw error }
            guard Self.isReplacementConfirmed(path) else {
                throw OutputError(path, .exists, "the file exists already; name another one, or replace it with --overwrite")
            }
            return .replacedUnlessRead
        }
        return .refused
    }

    /// Asks on the terminal; without one, the answer is no.
    private static func isReplacementConfirmed(_ path: String) -> Bool {
        guard isatty(STDIN_FILENO) == 1, isatty(STDERR_FILENO) == 1 else { return false }
        FileHandle.standardError.write(Data("\(path) exists already. Replace it? [y/N] ".utf8))
        return ["y", "yes"].contains(readLine()?.trimmingCharacters(in: .whitespaces).lowercased())
    }

    /// Creates a folder for outputs if it is missing, and opens a file in it for each name.
    ///
    /// - Parameter option: name of the command line's option, for the error.
    func open(_ names: [String], in folder: String, option: String, inputs: [String] = []) throws -> [OutputFile] {
        do { try FileManager.default.createDirectory(atPath: FilePlace.equivalent(folder), withIntermediateDirectories: true) } catch {
            throw ValidationError("\(option) \(folder): the folder cannot be made (\(error.localizedDescription)). Choose another one.")
        }
        return try names.map { try open(URL(fileURLWithPath: folder, isDirectory: true).appendingPathComponent($0).path, inputs: inputs) }
    }
}

extension OutputFile {
    /// Writes text and finishes the file.
    func complete(_ text: String) throws(OutputError) {
        try write(text)
        try finish()
    }
}

/// Options of the limiter before an output file, and the report about it.
struct LimiterOptions: ParsableArguments {
    @Flag(
        inversion: .prefixedNo,
        help: "Keep the true peak below --ceiling, as live; --no-limiter writes the sound as it is, also above full scale.")
    var limiter = true

    @Option(name: .customLong("ceiling"), help: "True-peak limit, dB, \(Self.range) (default: \(Self.standardCeiling)).")
    var givenCeiling: Float?

    private static let standardCeiling = ProtectionParameter.ceiling.spec.initial.numbers[0]

    /// True-peak limit, dB; nil for no limiter.
    var ceiling: Float? { limiter ? givenCeiling ?? Self.standardCeiling : nil }

    /// Range of the ceiling, in words.
    private static let range =
        "\(Int(clamping: ProtectionParameter.ceilings.lowerBound)) to \(Int(clamping: ProtectionParameter.ceilings.upperBound))"

    func validate() throws {
        guard let givenCeiling else { return }
        guard ProtectionParameter.ceilings.contains(givenCeiling) else {
            throw ValidationError("--ceiling \(givenCeiling): give \(Self.range) dB.")
        }
        guard limiter else { throw ValidationError("--ceiling has no effect with --no-limiter. Omit one of them.") }
    }

    /// Levels of the output, and the limiter's part, in words.
    ///
    /// - Parameter reduction: largest gain reduction, dB.
    func report(_ loudness: Loudness, reduction: Float) -> String {
        let taken = reduction < 0.05 ? "not active" : "up to \(Float((reduction * 10).rounded() / 10)) dB"
        return "\(loudness.text); limiter \(limiter ? taken : "off")"
    }
}
