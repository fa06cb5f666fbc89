/// The page that asks who is signing in, where no `login_hint` tells.
enum SignInPage {
    /// Without scripts. Its origin stays this server's, so that browsers treat its form, and the redirect to the app, as those of any other provider.
    static let policy = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'"

    /// - Parameter parameters: the authorization request's, sent back with the form.
    static func html(action: String, client: String, parameters: [String: String]) -> String {
        let hidden = parameters.sorted { $0.key < $1.key }.map { name, value in
            "      <input type=\"hidden\" name=\"\(escaped(name))\" value=\"\(escaped(value))\">"
        }
        return """
            <!doctype html>
            <html lang="en">
              <head>
                <meta charset="utf-8">
                <meta name="viewport" content="width=device-width, initial-scale=1">
                <title>Sign in</title>
                <style>
                  body { font: 1rem/1.5 system-ui, sans-serif; max-width: 22rem; margin: 4rem auto; padding: 0 1rem; }
                  input, button { font: inherit; width: 100%; box-sizing: border-box; padding: .5rem; margin-top: .5rem; }
                </style>
              </head>
              <body>
                <h1>Sign in</h1>
                <p><strong>\(escaped(client))</strong> asks who you are. You can use any name: this is a mock.</p>
                <form method="post" action="\(escaped(action))">
            \(hidden.joined(separator: "\n"))
                  <label for="username">Consumer</label>
                  <input id="username" name="username" autocomplete="username" required autofocus>
                  <button type="submit">Sign in</button>
                </form>
              </body>
            </html>

            """
    }

    /// The page that the browser shows after a sign-out that leads nowhere else.
    static let signedOut = """
        <!doctype html>
        <html lang="en">
          <head>
            <meta charset="utf-8">
            <title>Signed out</title>
          </head>
          <body>
            <p>You have signed out.</p>
          </body>
        </html>

        """

    /// The text escaped by scalar, as browsers read it: a quotation mark with an accent is another `Character`, and ends an attribute too.
    static func escaped(_ text: String) -> String {
        var out = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": out.append(contentsOf: "&amp;".unicodeScalars)
            case "<": out.append(contentsOf: "&lt;".unicodeScalars)
            case ">": out.append(contentsOf: "&gt;".unicodeScalars)
            case "\"": out.append(contentsOf: "&quot;".unicodeScalars)
            case "'": out.append(contentsOf: "&#39;".unicodeScalars)
            default: out.append(scalar)
            }
        }
        return String(out)
    }
}
