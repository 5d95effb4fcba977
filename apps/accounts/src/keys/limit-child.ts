import { GatewayError } from '@gateway/contracts';
import type { ApiKeyRecord, NewChildKey } from '@gateway/postgres';
import type { NewChild } from './child-settings.js';

type ChildSettings = Omit<NewChildKey, 'id' | 'sha256' | 'prefix' | 'isMadeByKey'>;

/** The scope of keys that make children. */
export const MAKES_CHILDREN = 'keys:children';

const refused = (param: string, message: string): never => {
  throw new GatewayError('invalid_request', `${param}: ${message}`, { param });
};

/** The child's own list, or its parent's. An empty list of the parent allows everything. */
function listWithin(param: string, own: readonly string[] | null | undefined, parent: readonly string[]) {
  if (own === undefined || own === null) return parent;
  const beyond = own.find((item) => parent.length > 0 && !parent.includes(item));
  return beyond === undefined ? [...new Set(own)] : refused(param, `the parent key may not use ${beyond}`);
}

/** The child's own limit, or its parent's. */
function limitWithin(param: string, own: number | null | undefined, parent: number | null): number | null {
  if (own === undefined || own === null) return parent;
  return parent !== null && own > parent ? refused(param, `must be at most ${parent}, as of the parent key`) : own;
}

/** The settings of a child, which may do nothing that its parent may not. Throws a 400 that names the field. */
export function limitChild(parent: ApiKeyRecord, given: NewChild, nowMs: number): ChildSettings {
  if (given.allowed_ips != null && parent.allowedIps.length > 0) {
    refused('allowed_ips', 'the parent key has its own, which its children share');
  }
  return {
    name: given.name,
    budgetNanoUsd: given.budget_usd,
    expiresAt: new Date(nowMs + given.minutes * 60_000),
    models: listWithin('models', given.models, parent.models),
    endpoints: listWithin('endpoints', given.endpoints, parent.endpoints),
    allowedIps: parent.allowedIps.length > 0 ? parent.allowedIps : (given.allowed_ips ?? []),
    scopes: given.can_make_children ? [MAKES_CHILDREN] : [],
    requestsPerMinute: limitWithin('rpm', given.rpm, parent.requestsPerMinute),
    concurrency: limitWithin('concurrency', given.concurrency, parent.concurrency),
  };
}
