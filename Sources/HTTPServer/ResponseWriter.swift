import CMicroHTTPD
import FoundationEssentials

/// Turns an answer into the daemon's form.
enum ResponseWriter {
    static func make(_ response: HTTPResponse, connection: OpaquePointer, exchange: Exchange) -> OpaquePointer? {
        switch response.body {
        case .data(let data):
            return data.withUnsafeBytes { bytes in
                MHD_create_response_from_buffer(
                    bytes.count, UnsafeMutableRawPointer(mutating: bytes.baseAddress), fleet_mhd_copy)
            }
        case .events(let body):
            let queue = EventQueue(connection: connection)
            let task = Task {
                await body(EventSink(queue: queue))
                queue.finish()
            }
            exchange.keep(events: queue, task: task)
            return MHD_create_response_from_callback(
                UInt64.max, 16 * 1024,
                { context, _, buffer, capacity in
                    guard let context, let buffer else { return -1 }
                    return Unmanaged<EventQueue>.fromOpaque(context).takeUnretainedValue().read(into: buffer, capacity: capacity)
                }, Unmanaged.passRetained(queue).toOpaque(),
                { context in
                    if let context { Unmanaged<EventQueue>.fromOpaque(context).release() }
                })
        }
    }
}
