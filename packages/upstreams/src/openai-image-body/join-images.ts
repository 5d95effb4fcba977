import { sumUsage } from '@gateway/contracts';
import { parseUpstreamJson } from '../failures/malformed-response.js';
import type { UpstreamReply } from '../protocol.js';
import type { OpenAiImage } from './image-body.js';

const COMMA = Buffer.from(',');

/** The images of one reply as entries of OpenAI's list, joined by commas. `joinImages` builds the list. */
export function imageEntries(
  reply: UpstreamReply,
  imagesOf: (response: unknown) => readonly OpenAiImage[],
): UpstreamReply {
  const images = imagesOf(parseUpstreamJson(reply.body));
  return { ...reply, body: Buffer.from(images.map((image) => JSON.stringify(image)).join(',')) };
}

/** The client's list from the entries of all calls, with the sum of their usage. */
export function joinImages(replies: readonly UpstreamReply[], createdSeconds: number): UpstreamReply {
  const filled = replies.filter(({ body }) => body.length > 0);
  const costs = replies.flatMap(({ vendorCostNanoUsd }) =>
    vendorCostNanoUsd === undefined ? [] : [vendorCostNanoUsd],
  );
  return {
    body: Buffer.concat([
      Buffer.from(`{"created":${createdSeconds},"data":[`),
      ...filled.flatMap(({ body }, index) => (index === 0 ? [body] : [COMMA, body])),
      Buffer.from(']}'),
    ]),
    usage: replies.map(({ usage }) => usage).reduce(sumUsage),
    upstreamId: replies[0]?.upstreamId,
    ...(costs.length > 0 && { vendorCostNanoUsd: String(costs.reduce((sum, cost) => sum + BigInt(cost), 0n)) }),
  };
}
