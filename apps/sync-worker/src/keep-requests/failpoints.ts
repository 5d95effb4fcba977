import type { Failpoints } from '@gateway/observability';

/** In the order in which a kept request reaches them. */
export type KeptRequestStep = 'after-claim' | 'after-store' | 'after-end' | 'after-settle' | 'after-mark';

export type KeptRequestFailpoints = Failpoints<KeptRequestStep>;
