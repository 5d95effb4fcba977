import type { CountTokensRequest } from '@gateway/contracts';

type System = CountTokensRequest['system'];

/**
 * The vendor's coding assistant begins its instructions with this line for the vendor's own statistics. A hash in it changes with
 * each request, so that no other vendor would find the prompt in its cache.
 */
const ATTRIBUTION = /^x-anthropic-billing-header:[^\n]*\n*/;

/** The instructions as another vendor gets them. */
export function withoutAttribution(system: System): System {
  if (system == null) return system;
  if (typeof system === 'string') return system.replace(ATTRIBUTION, '');
  return system.flatMap((block) => {
    const text = block.text.replace(ATTRIBUTION, '');
    return text === '' && block.text !== '' ? [] : [{ ...block, text }];
  });
}
