/** How the edge reaches billing: JSON in, JSON out. Throws `service_unavailable` if billing does not answer. */
export interface BillingClient {
  post(path: string, body: object): Promise<unknown>;
}

export const BILLING_CLIENT = Symbol('BillingClient');
