/** Injection token of this service's parsed configuration. */
export const BILLING_CONFIG = Symbol('BillingConfig');
