import type { HttpPools } from '@gateway/http';
import { MODEL_LISTS, type ModelList } from '@gateway/upstreams';
import type { ChannelSettings } from './channel.js';

/**
 * What the vendor says about a credential.
 * - `refused`: it does not accept the credential, or the account is out of credit.
 * - `model_missing`: it accepts the credential and does not serve the model.
 * - `listed`: it accepts the credential, and serves the model or does not list such models.
 * - `unknown`: it did not say.
 */
export type ProbeResult = 'refused' | 'model_missing' | 'listed' | 'unknown';

export interface CredentialProbe {
  /** Never rejects. */
  check(channel: ChannelSettings, upstreamModel: string): Promise<ProbeResult>;
}

type ListResult = { readonly models: ReadonlySet<string>; readonly isComplete: boolean } | 'refused' | 'unknown';

const RESULT_LIFETIME_MS = 60_000;
const TIMEOUT_MS = 10_000;
const LIST_LIMIT_BYTES = 8 * 1024 * 1024;
const MAX_PAGES = 10;
const DATE_SUFFIX = /^-(\d{8}|\d{4}-\d{2}-\d{2})$/;

/** Requests the vendor's list of models: at most once a minute for each channel, however many calls ask. */
export class ModelListProbe implements CredentialProbe {
  readonly #lists = new Map<string, { readonly list: Promise<ListResult>; readonly atMs: number }>();

  constructor(private readonly http: Pick<HttpPools, 'send'>) {}

  async check(channel: ChannelSettings, upstreamModel: string): Promise<ProbeResult> {
    const list = await this.#listOf(channel);
    if (typeof list === 'string') return list;
    return list.isComplete && !isListed(list.models, upstreamModel) ? 'model_missing' : 'listed';
  }

  #listOf(channel: ChannelSettings): Promise<ListResult> {
    const nowMs = Date.now();
    const known = this.#lists.get(channel.id);
    if (known !== undefined && nowMs - known.atMs < RESULT_LIFETIME_MS) return known.list;
    // A vendor that is away, or whose list cannot be read, says nothing about the credential.
    const list = this.#fetchAll(channel).catch((): ListResult => 'unknown');
    this.#lists.set(channel.id, { list, atMs: nowMs });
    return list;
  }

  async #fetchAll(channel: ChannelSettings): Promise<ListResult> {
    const modelList = MODEL_LISTS[channel.vendor];
    if (modelList === undefined) return 'unknown';
    const models = new Set<string>();
    let cursor: string | undefined;
    for (let page = 0; page < MAX_PAGES; page += 1) {
      const result = await this.#fetchPage(modelList, channel, cursor);
      if (typeof result === 'string') return result;
      for (const { id } of result.models) models.add(id);
      cursor = result.next;
      if (cursor === undefined) return { models, isComplete: modelList.isComplete };
    }
    return { models, isComplete: false };
  }

  async #fetchPage(modelList: ModelList, channel: ChannelSettings, cursor: string | undefined) {
    const response = await this.http.send(modelList.buildList(channel, cursor), {
      signal: AbortSignal.timeout(TIMEOUT_MS),
      headersTimeoutMs: TIMEOUT_MS,
      bodyTimeoutMs: TIMEOUT_MS,
    });
    const body = await response.bytes(LIST_LIMIT_BYTES);
    if (response.status >= 200 && response.status <= 299) return modelList.readList(body);
    const { kind } = modelList.readFailure({ status: response.status, headers: response.headers, body });
    // A 403 without a reason: keys may be restricted to calls of models.
    return kind === 'credential' ? 'refused' : 'unknown';
  }
}

/** Vendors list an alias under its dated name. */
function isListed(models: ReadonlySet<string>, upstreamModel: string): boolean {
  if (models.has(upstreamModel)) return true;
  return [...models].some((id) => id.startsWith(upstreamModel) && DATE_SUFFIX.test(id.slice(upstreamModel.length)));
}
