import CVision
import FoundationEssentials

extension Frame {
    /// Reads a PNG, JPEG or other picture file: three channels, stored orientation ignored.
    public static func read(path: String) throws(ImagingError) -> Frame {
        Silence.once
        return Frame(adopting: try ImagingError.make("reading \(path)") { vision_image_read(path, $0, $1) })
    }

    /// Reads a picture from memory.
    public static func decode(_ data: Data) throws(ImagingError) -> Frame {
        Silence.once
        return Frame(
            adopting: try ImagingError.make("decoding a picture") { out, error in
                data.withUnsafeBytes { bytes in
                    guard let base = bytes.baseAddress else { return VISION_BAD_ARGUMENT }
                    return vision_image_decode(base.assumingMemoryBound(to: UInt8.self), bytes.count, out, error)
                }
            })
    }

    /// Writes the picture; the ending of `path` names the format.
    public func write(path: String) throws(ImagingError) {
        try ImagingError.check("writing \(path)") { vision_image_write(handle, path, $0) }
    }

    /// The picture as JPEG, quality 1...100.
    public func jpeg(quality: Int) throws(ImagingError) -> Data {
        let bytes = try ImagingError.make("encoding JPEG") { vision_image_encode_jpeg(handle, Int32(clamping: quality), $0, $1) }
        defer { vision_bytes_destroy(bytes) }
        return Data(bytes: vision_bytes_data(bytes) ?? UnsafePointer(vision_image_data(handle)), count: vision_bytes_count(bytes))
    }
}
