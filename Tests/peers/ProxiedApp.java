import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.WebSocket;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;

/** An app with LivePerson's host names built in; the JVM's own settings say which proxy it has, and whom it trusts. */
public class ProxiedApp {
    public static void main(String[] arguments) throws Exception {
        String account = arguments[0];
        HttpClient client = HttpClient.newHttpClient();
        String token = member(client, "https://va.idp.liveperson.net/api/account/" + account + "/signup", "jwt");
        CompletableFuture<String> answer = new CompletableFuture<>();
        WebSocket socket = client.newWebSocketBuilder().header("Authorization", "jwt " + token).buildAsync(
            URI.create("wss://va.msg.liveperson.net/ws_api/account/" + account + "/messaging/consumer?v=3"), new WebSocket.Listener() {
                @Override public CompletionStage<?> onText(WebSocket socket, CharSequence text, boolean isLast) {
                    answer.complete(text.toString());
                    return null;
                }
            }).get(20, TimeUnit.SECONDS);
        socket.sendText("{\"kind\":\"req\",\"id\":\"1\",\"type\":\"GetClock\",\"body\":{}}", true);
        socket.request(1);
        System.out.println("Java " + answer.get(20, TimeUnit.SECONDS).contains("\"code\":200"));
        socket.abort();
    }

    private static String member(HttpClient client, String url, String name) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(URI.create(url)).POST(HttpRequest.BodyPublishers.noBody()).build();
        String body = client.send(request, HttpResponse.BodyHandlers.ofString()).body();
        return body.split("\"" + name + "\":\"")[1].split("\"")[0];
    }
}
