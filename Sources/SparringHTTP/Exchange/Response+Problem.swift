internal import CMicrohttpd
package import HTTPTypes
package import SparringJSON

extension Response {
    /// A problem (RFC 9457) of Sparring itself, for what is no vendor's to answer.
    package static func problem(
        _ status: Int, _ detail: String, type: String = "about:blank", members: JSON.Object = [:], headers: HTTPFields = [:]
    ) -> Response {
        var problem: JSON = [
            "type": .string(type), "title": .string(reason(of: status)), "status": .integer(Int64(status)), "detail": .string(detail),
        ]
        for (name, value) in members { problem[name] = value }
        var headers = headers
        headers[.contentType] = "application/problem+json"
        return Response(status: status, headers: headers, body: .bytes(problem.bytes))
    }

    /// A status's phrase (RFC 9110 §15), which RFC 9457 §4.2.1 wants as the title of a problem without a type of its own.
    package static func reason(of status: Int) -> String { String(cString: MHD_get_reason_phrase_for(UInt32(clamping: status))) }
}
