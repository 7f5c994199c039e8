import CMosquitto
import Glibc

/// MQTT 5 properties of a message in the library's form; freed with the object unless handed over.
struct PropertyList: ~Copyable {
    private(set) var pointer: OpaquePointer?

    /// The properties of `message`.
    init(of message: MQTTMessage) throws(MQTTError) {
        var list: OpaquePointer?
        var code: Int32 = 0
        func add(_ result: Int32) { if code == 0 { code = result } }
        if let type = message.contentType {
            add(mosquitto_property_add_string(&list, Int32(MQTT_PROP_CONTENT_TYPE.rawValue), type))
        }
        if let expiry = message.expiryS {
            add(mosquitto_property_add_int32(&list, Int32(MQTT_PROP_MESSAGE_EXPIRY_INTERVAL.rawValue), expiry))
        }
        for (name, value) in message.userProperties {
            add(mosquitto_property_add_string_pair(&list, Int32(MQTT_PROP_USER_PROPERTY.rawValue), name, value))
        }
        pointer = list
        if code != 0 { throw .library(code: code, words: "a message property is not valid") }
    }

    deinit {
        var list = pointer
        mosquitto_property_free_all(&list)
    }

    /// Gives the list away; the library frees it.
    consuming func release() -> OpaquePointer? {
        let given = pointer
        pointer = nil
        return given
    }

    /// User properties of an incoming message, at most 16.
    static func userProperties(_ properties: OpaquePointer?) -> [(name: String, value: String)] {
        var found: [(name: String, value: String)] = []
        var next = properties
        var skipFirst = false
        while let current = next, found.count < 16 {
            var name: UnsafeMutablePointer<CChar>?
            var value: UnsafeMutablePointer<CChar>?
            next = mosquitto_property_read_string_pair(current, Int32(MQTT_PROP_USER_PROPERTY.rawValue), &name, &value, skipFirst)
            skipFirst = true
            if next != nil, let name, let value { found.append((String(cString: name), String(cString: value))) }
            free(name)
            free(value)
        }
        return found
    }
}
