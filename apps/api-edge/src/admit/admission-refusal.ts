import {
  type AdmissionOutcome,
  BUDGET_PREFIX,
  type CapMeasure,
  GatewayError,
  LEAST_BALANCE_NANO_USD,
} from '@gateway/contracts';
import { formatUsd, parseNanoUsd } from '@gateway/money';
import type { AdmittedRequest } from '../edge-request.js';

type Refusal = Exclude<AdmissionOutcome, { outcome: 'admitted' }>;

const OWNERS = {
  account: 'account, over all its keys,',
  key: 'key',
  parent: 'key, its parent and their children',
} as const;

/** The 503 while the store is unavailable. The caller settles a possible hold at zero. */
export const unavailable = (): GatewayError =>
  new GatewayError('service_unavailable', 'The service is not available right now, try again shortly.', {
    retryAfterMs: 1_000,
  });

const MEDIA_HINT =
  'It refers to media by address, which are held at the most that they can be. Media within the request are held by their size.';

/** The error that the client gets for a refused admission. */
export function admissionRefusal(refusal: Refusal, request: AdmittedRequest): GatewayError {
  const { caller, holdNanoUsd } = request;
  const cost = `$${formatUsd(holdNanoUsd)}`;
  const media = request.refersToMedia === true ? ` ${MEDIA_HINT}` : '';
  switch (refusal.outcome) {
    case 'concurrency':
      return new GatewayError(
        'rate_limit_exceeded',
        `Too many requests of this ${OWNERS[refusal.scope]} run at the same time. Wait for one to end.`,
        { retryAfterMs: refusal.retryAfterMs },
      );
    case 'rate':
      return new GatewayError(
        'rate_limit_exceeded',
        `Rate limit of ${refusal.rate.limit} requests per minute reached for this ${OWNERS[refusal.scope]}.`,
        { retryAfterMs: refusal.retryAfterMs },
      );
    case 'spend_cap': {
      const cap = `$${formatUsd(parseNanoUsd(caller.key.spendCap?.capNanoUsd ?? '0'))}`;
      const used = `$${formatUsd(refusal.takenNanoUsd)}`;
      return new GatewayError(
        'insufficient_balance',
        `The spend cap of this key is too low for this request: of ${cap}, ${used} is spent or held by running requests, and this one may cost ${cost}. Raise the cap, request less output, or use another key.${media}`,
      );
    }
    case 'cap':
      return capRefusal(refusal, caller.key.accountId);
    case 'debt':
      return new GatewayError(
        'insufficient_balance',
        `Your balance is below -$${formatUsd(-LEAST_BALANCE_NANO_USD)}. Add credit: no paid request runs before.`,
      );
    case 'funds':
      return new GatewayError(
        'insufficient_balance',
        `Your balance is too low for this request, which may cost ${cost}: so much must be available. Add credit, or request less output.${media}`,
      );
    case 'rebuilding':
      return new GatewayError('service_unavailable', 'Balances are being rebuilt, try again shortly.', {
        retryAfterMs: 1_000,
      });
  }
}

const PERIODS: Readonly<Record<string, string>> = { day: 'daily', week: 'weekly', month: 'monthly', life: 'lifetime' };
const amountOf = (measure: CapMeasure, count: bigint): string =>
  measure === 'usd' ? `$${formatUsd(count)}` : `${count} ${count === 1n ? measure.slice(0, -1) : measure}`;
const areUsed = (measure: CapMeasure, count: bigint): string =>
  measure !== 'usd' && count === 1n ? 'is used' : 'are used';

function ownerOf(ownerId: string | undefined, accountId: string): string {
  if (ownerId === accountId) return 'account';
  return ownerId?.startsWith('mem_') === true ? 'member of the organisation' : 'key';
}

/** Names the cap, what it has counted, and when it resets. */
function capRefusal(refusal: Extract<Refusal, { outcome: 'cap' }>, accountId: string): GatewayError {
  const { counter, measure, taken } = refusal;
  if (counter.name.startsWith(BUDGET_PREFIX)) return budgetRefusal(refusal);
  const [ownerId, period = ''] = counter.name.split(':');
  const owner = ownerOf(ownerId, accountId);
  const limit = amountOf(measure, BigInt(counter.limits[measure] ?? '0'));
  const resets =
    counter.endsAtMs === null ? 'It never resets' : `It resets at ${new Date(counter.endsAtMs).toISOString()}`;
  return new GatewayError(
    'insufficient_quota',
    `The ${PERIODS[period]} cap of this ${owner} is ${limit}, of which ${amountOf(measure, taken)} ${areUsed(measure, taken)} or held by running requests. That leaves too little for this request. ${resets}.`,
  );
}

function budgetRefusal({ counter, taken }: Extract<Refusal, { outcome: 'cap' }>): GatewayError {
  const budget = formatUsd(BigInt(counter.limits.usd ?? '0'));
  return new GatewayError(
    'batch_budget_exceeded',
    `The batch may cost $${budget}, of which $${formatUsd(taken)} are spent or held. That leaves too little for this request.`,
    { param: 'max_cost_usd' },
  );
}
