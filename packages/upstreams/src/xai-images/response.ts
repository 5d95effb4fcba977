import { grokImageUnits, isJsonObject } from '@gateway/contracts';
import { malformedResponse, parseUpstreamJson, stringifyUpstreamJson } from '../failures/malformed-response.js';
import { replaceTopMembers } from '../json/replace-member.js';
import { type KnownUsage, unpricedIn, withUnpriced } from '../metering/unpriced-usage.js';
import { withTokenCounts } from '../openai-image-body/token-counts.js';
import type { ImageCall, UpstreamReply } from '../protocol.js';
import { definedFields, readTicks, withoutTicks } from '../task-records/read-record.js';
import { errorInResponse } from './errors.js';
import { type XaiImage, type XaiReply, xaiReply } from './wire.js';

/** Images are sold by the piece; the vendor's cost is compared with the charge elsewhere. */
const KNOWN: KnownUsage = {
  counts: new Set([
    ...['cost_in_usd_ticks', 'num_images', 'image_count', 'input_tokens', 'output_tokens', 'total_tokens'],
    ...['prompt_tokens', 'completion_tokens'],
  ]),
};

/**
 * Passes the response through with the time and counts of OpenAI's form, without the vendor's cost. Charges each image that
 * arrived, by resolution and quality.
 */
export function readReply(body: Uint8Array, call: ImageCall<'xai-images'>): UpstreamReply {
  const value = parseUpstreamJson(body);
  if (isJsonObject(value) && value.error != null && value.data === undefined) throw errorInResponse(value);
  const parsed = xaiReply.safeParse(value);
  if (!parsed.success) throw malformedResponse();
  const images = parsed.data.data.filter(isDelivered).length;
  return {
    body: inClientForm(body, parsed.data, call.createdSeconds),
    usage: withUnpriced(
      {
        units: images === 0 ? {} : grokImageUnits(call.request, call.traits, images),
        inputTokensTotal: 0,
        isEstimated: false,
      },
      unpricedIn(parsed.data.usage, KNOWN),
    ),
    ...definedFields({ vendorCostNanoUsd: readTicks(parsed.data.usage?.cost_in_usd_ticks) }),
    upstreamId: undefined,
  };
}

/** Only `created` and `usage` are written again: images are megabytes. */
function inClientForm(body: Uint8Array, { created, usage }: XaiReply, createdSeconds: number): Uint8Array {
  const counts = usage == null ? undefined : stringifyUpstreamJson(withTokenCounts(withoutTicks(usage)));
  const added = created === undefined ? { created: String(createdSeconds) } : {};
  return replaceTopMembers(bufferOf(body), (name) => (name === 'usage' ? counts : undefined), added);
}

const bufferOf = ({ buffer, byteOffset, byteLength }: Uint8Array): Buffer =>
  Buffer.from(buffer, byteOffset, byteLength);

/** False for an image that moderation withheld: marked, left out or empty. */
const isDelivered = ({ url, b64_json, respect_moderation }: XaiImage): boolean =>
  respect_moderation !== false && Boolean(url || b64_json);
