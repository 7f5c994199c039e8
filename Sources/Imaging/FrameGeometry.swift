import CVision

extension Frame {
    /// A new picture of another size: area averaging when it gets smaller, linear otherwise.
    public func resized(width: Int, height: Int) throws(ImagingError) -> Frame {
        Frame(
            adopting: try ImagingError.make("resizing") {
                vision_image_resize(handle, Int32(clamping: width), Int32(clamping: height), $0, $1)
            })
    }

    /// A new picture with one channel.
    public func grey() throws(ImagingError) -> Frame {
        Frame(adopting: try ImagingError.make("converting to grey") { vision_image_grey(handle, $0, $1) })
    }

    /// A new picture: the part at `x`, `y` (pixels), which must lie within this one.
    public func cropped(x: Int, y: Int, width: Int, height: Int) throws(ImagingError) -> Frame {
        Frame(
            adopting: try ImagingError.make("cropping") {
                vision_image_crop(
                    handle, Int32(clamping: x), Int32(clamping: y), Int32(clamping: width), Int32(clamping: height), $0, $1)
            })
    }

    /// Makes the part at `x`, `y` (pixels, cut to the picture) unrecognisable for good, by averaging over coarse tiles.
    public mutating func obscure(x: Int, y: Int, width: Int, height: Int) throws(ImagingError) {
        let image = handle
        try ImagingError.check("obscuring a part") {
            vision_image_obscure(
                image, Int32(clamping: x), Int32(clamping: y), Int32(clamping: width), Int32(clamping: height), $0)
        }
    }

    /// The sample at column `x`, row `y`, channel `channel`; nil outside the picture. For tests and sparse looks, not for loops over all.
    public func sample(x: Int, y: Int, channel: Int = 0) -> UInt8? {
        guard (0..<width).contains(x), (0..<height).contains(y), (0..<channels).contains(channel) else { return nil }
        return vision_image_data(handle)[y * vision_image_stride(handle) + x * channels + channel]
    }
}
