import SparringEngine
import SparringJSON
import Testing

/// The URLs that may be called.
@Suite struct HTTPURLTests {
    @Test(arguments: [
        ("http://a", false, "a", 80, ""), ("https://a", true, "a", 443, ""), ("HTTPS://A.b:8443/x?y=z", true, "A.b", 8443, "/x?y=z"),
        ("http://127.0.0.1:65535/", false, "127.0.0.1", 65_535, "/"), ("http://[::1]:1?q", false, "::1", 1, "?q"),
        ("http://a:/x", false, "a", 80, "/x"), ("http://a/%c3%A4@:!$&'()*+,;=", false, "a", 80, "/%c3%A4@:!$&'()*+,;="),
    ])
    func `a sound URL is read`(_ text: String, isTLS: Bool, host: String, port: Int, target: String) throws {
        let url = try HTTPURL(text)
        #expect(url.isTLS == isTLS && url.authority.host == host && url.port == port && url.target == target)
    }

    @Test(arguments: [
        ("", "is empty"), ("http://127.0.0.1:70000/", "has the port 70000; a port is a number from 1 to 65535"),
        ("https://[::1]:65536", "has the port 65536"), ("http://a:0/", "has the port 0"),
        ("http://a:99999999999999999999", "has the port 99999999999999999999"),
        ("http://a:8o/", "has 'a:8o' where a host and a port are expected"), ("http://u@a/", "contains a user"),
        ("http://u:p@a/", "contains a user"),
        ("http:///x", "has no host"), ("http://?x", "has no host"), ("http://[::g]/", "where a host and a port"),
        ("http://[1.2.3.4]/", "has no IPv6 address"),
        ("http://[:::::]/", "has no IPv6 address"), ("http://a b/", "has the byte 0x20 at 8"), ("http://ü/", "has the byte 0xC3 at 7"),
        ("http://a/%zz", "has the byte 0x25 at 9"), ("http://a/%4", "has the byte 0x25"), ("http://a\r\nX: y", "has the byte 0xD"),
        ("http://a/\\", "has the byte 0x5C"), ("ftp://a/", "begins with neither"), ("a.example/x", "begins with neither"),
        ("//a/b", "begins with neither"),
        ("http://a/x#y", "has a fragment"), ("file:///etc/passwd", "begins with neither"),
    ])
    func `any other is refused in words`(_ text: String, _ words: String) {
        let malformed = #expect(throws: HTTPURL.Malformed.self) { _ = try HTTPURL(text) }
        #expect(
            malformed?.description.hasPrefix(words) == true || malformed?.description.contains(words) == true,
            "\(malformed?.description ?? "")")
    }

    @Test(arguments: [("/x?y", true), ("/", true), ("//a/b", false), ("/a b", false), ("/a#b", false), ("x", false), ("", false)])
    func `a path of this server may stand in its place`(_ path: String, isOne: Bool) {
        #expect(((try? HTTPURL.checkPath(path)) != nil) == isOne)
    }
}
