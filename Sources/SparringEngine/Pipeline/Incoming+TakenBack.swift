import HTTPTypes
import SparringHTTP
import SparringJSON
import SparringSandbox
import SparringVariation

/// Ids and numbers that the client was sent in another spelling, as Sparring gave them out; a part of **receive**.
extension Incoming {
    mutating func takeBack() {
        if let target = TakenBack.restored(Array(head.target.utf8), withNumbers: true) {
            head.target = String(decoding: target, as: UTF8.self)
        }
        for index in head.headers.indices {
            guard let value = TakenBack.restored(Array(head.headers[index].value.utf8), withNumbers: false) else { continue }
            head.headers[index].value = String(decoding: value, as: UTF8.self)
        }
        let type = head.headers.value(of: .contentType) ?? ""
        let hasNumbers = type.contains("json") || type.contains("urlencoded")
        if let restored = TakenBack.restored(body, withNumbers: hasNumbers) { body = restored }
    }
}

extension SocketMessage {
    mutating func takeBack() {
        if !isBinary, let restored = TakenBack.restored(bytes, withNumbers: true) { bytes = restored }
    }
}
