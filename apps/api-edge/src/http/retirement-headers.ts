import { type CatalogueModel, type RetirementNotice, retirementNotice } from '@gateway/catalogue';

type Headers = Readonly<Record<string, string>>;

const NONE: Headers = {};
const written = new WeakMap<RetirementNotice, Headers>();

/**
 * Headers that warn of a model's end from 30 days before: `Deprecation` (RFC 9745), `Sunset` (RFC 8594) until then, and
 * `Link` with the relation `successor-version` (RFC 5829). Empty for every other model.
 */
export function retirementHeaders(model: CatalogueModel, atMs: number): Headers {
  const notice = retirementNotice(model, atMs);
  if (notice === undefined) return NONE;
  const known = written.get(notice);
  if (known !== undefined) return known;
  const headers = write(notice, model.servedBy !== undefined);
  written.set(notice, headers);
  return headers;
}

/** `Sunset` names the end of what responds. An id that a successor serves goes on responding. */
const write = ({ warnedFromMs, retiresAtMs, replacement }: RetirementNotice, isServed: boolean): Headers => ({
  deprecation: `@${warnedFromMs / 1_000}`,
  ...(!isServed && { sunset: new Date(retiresAtMs).toUTCString() }),
  ...(replacement !== undefined && { link: `</v1/models/${replacement}>; rel="successor-version"` }),
});
