/** The one consumer group of the usage stream: billing, which copies it to the ledger. */
export const USAGE_GROUP = 'billing';
