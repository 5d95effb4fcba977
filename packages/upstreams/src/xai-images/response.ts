import { grokImageUnits } from '@gateway/contracts';
import { isJsonObject } from '../failures/error-body.js';
import { malformedResponse, parseUpstreamJson } from '../failures/malformed-response.js';
import type { ImageCall, UpstreamReply } from '../protocol.js';
import { definedFields, readTicks } from '../task-records/read-record.js';
import { errorInResponse } from './errors.js';
import { type XaiImage, xaiReply } from './wire.js';

/** Passes the response through. Charges each image that arrived, by resolution and quality. */
export function readReply(body: Uint8Array, call: ImageCall<'xai-images'>): UpstreamReply {
  const value = parseUpstreamJson(body);
  if (isJsonObject(value) && value.error != null && value.data === undefined) throw errorInResponse(value);
  const parsed = xaiReply.safeParse(value);
  if (!parsed.success) throw malformedResponse();
  const images = parsed.data.data.filter(isDelivered).length;
  return {
    body,
    usage: {
      units: images === 0 ? {} : grokImageUnits(call.request, call.traits, images),
      inputTokensTotal: 0,
      isEstimated: false,
    },
    ...definedFields({ vendorCostNanoUsd: readTicks(parsed.data.usage?.cost_in_usd_ticks) }),
    upstreamId: undefined,
  };
}

/** False for an image that moderation withheld: marked, left out or empty. */
const isDelivered = ({ url, b64_json, respect_moderation }: XaiImage): boolean =>
  respect_moderation !== false && Boolean(url || b64_json);
