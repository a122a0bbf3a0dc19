import FileOutput
import Foundation
import Media

/// Replaces the files of a complete take by FLAC files.
///
/// They are made afterwards: the length of a FLAC file without its end is unknown.
enum TakeConversion {
    /// Name after conversion; unchanged if FLAC does not support the number of channels.
    static func name(_ file: String, channels: Int) -> String {
        channels <= FlacFile.mostChannels ? URL(filePath: file).deletingPathExtension().lastPathComponent + ".flac" : file
    }

    /// - Returns: the reasons why files stay as they are.
    static func convert(_ folder: String) -> [String] {
        guard var record = try? TakeRecord.read(folder), record.frames ?? 0 > 0 else { return [] }
        var problems: [String] = []
        for index in record.files.indices {
            let (file, former) = (record.files[index], record)
            let name = name(file.file, channels: file.channels)
            guard name != file.file else { continue }
            do {
                try FlacFile.convert(folder + "/" + file.file, to: OutputFile(folder + "/" + name, isSynced: true))
                record.files[index].file = name
                try record.write(folder)
                try FileManager.default.removeItem(atPath: folder + "/" + file.file)
            } catch {
                record = former
                problems.append("\(folder)/\(file.file) stays as it is: \(error)")
            }
        }
        return problems
    }
}
