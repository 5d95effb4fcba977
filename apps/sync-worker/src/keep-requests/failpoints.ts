import type { Failpoints } from '@gateway/observability';

/** In the order in which a kept request reaches them. */
export type KeptRequestStep = 'after-claim' | 'after-store' | 'after-decide' | 'after-settle' | 'after-finish';

export type KeptRequestFailpoints = Failpoints<KeptRequestStep>;
