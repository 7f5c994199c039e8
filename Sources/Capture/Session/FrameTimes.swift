import FleetRuntime
import Foundation

/// Reads `frames.csv`: the header `frame,t_s`, then one line a frame, counted from 0, with times that grow.
enum FrameTimes {
    /// Most frames that a session may have: more than a day at 100 frames per second.
    static let maximumFrames = 10_000_000

    /// The times in s, in order. A `UserError` names file, line and what is wrong.
    static func read(path: String) throws -> [Double] {
        let lines = try LineReader(path: path)
        guard try lines.next().map({ String(decoding: $0, as: UTF8.self) }) == "frame,t_s" else {
            throw UserError(.badData, "\(path):1: must be the header frame,t_s")
        }
        var times: [Double] = []
        while let line = try lines.next() {
            if line.isEmpty { continue }
            let cells = String(decoding: line, as: UTF8.self).split(separator: ",", omittingEmptySubsequences: false)
            guard cells.count == 2, let frame = Int(cells[0]), let time = Double(cells[1]), (0..<1e9).contains(time) else {
                throw lines.malformed("must be a frame number and a time in seconds from 0, such as 12,0.4")
            }
            guard frame == times.count else {
                throw lines.malformed("frame \(frame) stands where frame \(times.count) is expected")
            }
            if let last = times.last, time <= last { throw lines.malformed("time \(time) is not after the frame before (\(last))") }
            guard times.count < maximumFrames else { throw lines.malformed("more than \(maximumFrames) frames") }
            times.append(time)
        }
        return times
    }
}
