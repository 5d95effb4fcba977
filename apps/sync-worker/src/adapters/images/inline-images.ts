import type { Download, UnaryAdapter } from '../../model-adapter.js';

interface Entry {
  readonly url?: string;
}

/**
 * Replaces the URL of each image by the image itself. An image that cannot be fetched keeps its URL: it is made and billed,
 * and its client can fetch it.
 */
export const inlineImages: NonNullable<UnaryAdapter['completeReply']> = async (reply, download) => {
  const entries = JSON.parse(`[${Buffer.from(reply.body).toString('utf8')}]`) as readonly Entry[];
  const inlined = await Promise.all(entries.map((entry) => inline(entry, download)));
  return { ...reply, body: Buffer.from(inlined.map((entry) => JSON.stringify(entry)).join(',')) };
};

async function inline(entry: Entry, download: Download): Promise<object> {
  const content = entry.url === undefined ? undefined : await download(entry.url);
  return content === undefined ? entry : { b64_json: content.toString('base64') };
}
