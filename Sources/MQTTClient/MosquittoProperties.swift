import CMosquitto
import FoundationEssentials
import Glibc

/// A list of MQTT 5 properties in the library's memory; freed with the value.
struct MosquittoProperties: ~Copyable {
    private(set) var list: OpaquePointer?

    init() {}

    /// The properties with which `message` is published.
    init(of message: MQTTMessage) {
        if let type = message.contentType { mosquitto_property_add_string(&list, Int32(MQTT_PROP_CONTENT_TYPE.rawValue), type) }
        if let expiry = message.expiryS {
            mosquitto_property_add_int32(&list, Int32(MQTT_PROP_MESSAGE_EXPIRY_INTERVAL.rawValue), expiry)
        }
        for property in message.userProperties {
            mosquitto_property_add_string_pair(&list, Int32(MQTT_PROP_USER_PROPERTY.rawValue), property.name, property.value)
        }
    }

    mutating func add(_ property: mqtt5_property, _ value: UInt32) {
        mosquitto_property_add_int32(&list, Int32(property.rawValue), value)
    }

    /// The list, to be freed by the caller.
    consuming func release() -> OpaquePointer? {
        let released = list
        discard self
        return released
    }

    deinit {
        var list = list
        mosquitto_property_free_all(&list)
    }
}

/// Reading the properties of what came in; the list stays the library's.
enum MosquittoPropertyReader {
    static func int32(_ list: OpaquePointer?, _ property: mqtt5_property) -> UInt32? {
        var value: UInt32 = 0
        return mosquitto_property_read_int32(list, Int32(property.rawValue), &value, false) == nil ? nil : value
    }

    static func int16(_ list: OpaquePointer?, _ property: mqtt5_property) -> UInt16? {
        var value: UInt16 = 0
        return mosquitto_property_read_int16(list, Int32(property.rawValue), &value, false) == nil ? nil : value
    }

    static func string(_ list: OpaquePointer?, _ property: mqtt5_property) -> String? {
        var value: UnsafeMutablePointer<CChar>?
        guard mosquitto_property_read_string(list, Int32(property.rawValue), &value, false) != nil, let value else { return nil }
        defer { free(value) }
        return String(cString: value)
    }

    /// At most `limit` of them: the sender is not trusted to stop.
    static func userProperties(_ list: OpaquePointer?, limit: Int = 16) -> [MQTTMessage.UserProperty] {
        var result: [MQTTMessage.UserProperty] = []
        var position = list
        var isFirst = true
        while result.count < limit {
            var name: UnsafeMutablePointer<CChar>?
            var value: UnsafeMutablePointer<CChar>?
            position = mosquitto_property_read_string_pair(
                position, Int32(MQTT_PROP_USER_PROPERTY.rawValue), &name, &value, !isFirst)
            isFirst = false
            guard position != nil, let name, let value else { break }
            result.append(.init(String(cString: name), String(cString: value)))
            free(name)
            free(value)
        }
        return result
    }
}
