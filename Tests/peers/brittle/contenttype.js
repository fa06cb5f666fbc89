// Reads the configuration of a chat channel at CXone.

const { SPARRING_URL, SPARRING_CXONE_BRAND_ID, SPARRING_CXONE_MULTI_THREAD_CHANNEL_ID } = process.env;

async function readJson(url) {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`status ${response.status}`);
  // The mistake: a media type may have parameters, and its case does not matter.
  if (response.headers.get('content-type') === 'application/json') return response.json();
  throw new Error(`expected JSON: ${await response.text()}`);
}

async function main() {
  const channel = `brand/${SPARRING_CXONE_BRAND_ID}/channel/${SPARRING_CXONE_MULTI_THREAD_CHANNEL_ID}`;
  const configuration = await readJson(`${SPARRING_URL}/chat/1.0/${channel}`);
  console.log(configuration.settings.hasMultipleThreadsPerEndUser ? 'many threads' : 'one thread');
}

main().catch((error) => {
  console.error(error.message);
  process.exitCode = 1;
});
