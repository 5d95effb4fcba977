import { priceAt, usageCost } from '@gateway/catalogue';
import {
  type Batch,
  type BatchError,
  batchError,
  ENDPOINTS,
  GatewayError,
  isGatewayError,
  type PriceOverride,
} from '@gateway/contracts';
import {
  expectedUsage,
  holdAmounts,
  type ModelScope,
  parseJsonBody,
  parseLine,
  resolveModel,
  worstCaseOf,
} from '@gateway/intake';

/** Some lines of a batch. Plain data, as what is returned: it crosses threads. */
export interface LinesToQuote {
  readonly endpoint: Batch['endpoint'];
  readonly scope: ModelScope;
  readonly priceOverrides: readonly PriceOverride[];
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Where each line is within the bytes. */
  readonly lines: readonly { readonly number: number; readonly start: number; readonly end: number }[];
}

/** Amounts in nano-USD. */
export type QuotedLine = { readonly number: number; readonly customId: string | null } & (
  | { readonly model: string; readonly likelyNanoUsd: bigint; readonly mostNanoUsd: bigint }
  | { readonly wrong: BatchError }
);

type Rules = Pick<LinesToQuote, 'endpoint' | 'scope' | 'priceOverrides'>;

/** Prices lines by the rules of admission. A line that would fail has its error. */
export function quoteLines({ bytes, lines, ...rules }: LinesToQuote): readonly QuotedLine[] {
  const all = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return lines.map(({ number, start, end }) => quoteLine(number, all.subarray(start, end), rules));
}

function quoteLine(number: number, bytes: Buffer, rules: Rules): QuotedLine {
  const parsed = parseLine({ number, bytes }, ENDPOINTS[rules.endpoint].path);
  const { customId } = parsed;
  if ('wrong' in parsed) {
    const { code, message, param } = parsed.wrong;
    return { number, customId, wrong: batchError(code, message, { param, line: number }) };
  }
  try {
    return { number, customId, ...priced(parsed.body, rules) };
  } catch (error) {
    if (!isGatewayError(error)) throw error;
    const { code, message, details } = error;
    return { number, customId, wrong: batchError(code, message, { param: details.param ?? null, line: number }) };
  }
}

function priced(body: Buffer, { endpoint, scope, priceOverrides }: Rules) {
  const { fields } = parseJsonBody(body);
  const model = resolveModel(fields.model, endpoint, scope);
  const use = worstCaseOf(endpoint, fields, model);
  const price = priceAt(model, Date.now(), priceOverrides);
  if (price === undefined) {
    throw new GatewayError('model_not_found', `The model '${model.id}' has no price yet.`, { param: 'model' });
  }
  const { leastNanoUsd, range } = holdAmounts(use, price);
  const mostNanoUsd = range?.mostNanoUsd ?? leastNanoUsd;
  const likelyNanoUsd = usageCost(expectedUsage(endpoint, use.worstCase), price);
  return { model: model.id, likelyNanoUsd, mostNanoUsd };
}
