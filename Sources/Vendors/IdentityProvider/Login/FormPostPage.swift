/// The page that posts an authorization response to the client, as soon as a browser shows it (OAuth 2.0 Form Post Response Mode §2).
enum FormPostPage {
    private static let script = "document.forms[0].submit()"

    /// A policy that allows only the page's script, by its SHA-256 (Content Security Policy Level 3 §2.3.1).
    static let policy = "default-src 'none'; script-src 'sha256-ePniVEkSivX/c7XWBGafqh8tSpiRrKiqYeqbG7N1TOE='; base-uri 'none'"

    /// - Parameters:
    ///   - action: the client's redirect URI.
    ///   - fields: the parameters of the response.
    static func html(action: String, fields: [(String, String)]) -> String {
        let hidden = fields.map { name, value in
            "      <input type=\"hidden\" name=\"\(SignInPage.escaped(name))\" value=\"\(SignInPage.escaped(value))\">"
        }
        return """
            <!doctype html>
            <html lang="en">
              <head>
                <meta charset="utf-8">
                <title>Back to the app</title>
              </head>
              <body>
                <form method="post" action="\(SignInPage.escaped(action))">
            \(hidden.joined(separator: "\n"))
                  <noscript><button type="submit">Back to the app</button></noscript>
                </form>
                <script>\(script)</script>
              </body>
            </html>

            """
    }
}
