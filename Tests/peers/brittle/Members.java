import com.fasterxml.jackson.databind.ObjectMapper;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;

/** Reads the configuration of an app at Khoros. The records have the contract's members and no others. */
public class Members {
    record Answer(Config config) {}

    record Config(App app, BaseUrl baseUrl, RetryPolicy restRetryPolicy, Integration integration, List<Channel> integrations) {}

    record App(String _id, String status, String name, Settings settings) {}

    record Settings(boolean multiConvoEnabled) {}

    record BaseUrl(String ios, String android, String web) {}

    record RetryPolicy(Intervals intervals, double backoffMultiplier, int maxRetries) {}

    record Intervals(double regular, double aggressive) {}

    record Integration(String _id, boolean canUserCreateMoreConversations, boolean canUserSeeConversationList) {}

    record Channel(String type, String senderId) {}

    public static void main(String[] arguments) throws Exception {
        var environment = System.getenv();
        var integration = environment.get("SPARRING_KHOROS_ANDROID_INTEGRATION_ID");
        var url = environment.get("SPARRING_URL") + "/sdk/v2/integrations/" + integration + "/config";
        var client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
        var response = client.send(HttpRequest.newBuilder(URI.create(url)).build(), HttpResponse.BodyHandlers.ofByteArray());
        if (response.statusCode() / 100 != 2) {
            throw new IllegalStateException("status " + response.statusCode());
        }
        // The mistake: as it is made, Jackson refuses members that it does not know.
        var answer = new ObjectMapper().readValue(response.body(), Answer.class);
        System.out.println(answer.config().app().name() + " is at " + answer.config().baseUrl().android());
    }
}
