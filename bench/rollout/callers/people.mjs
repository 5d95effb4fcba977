/** A customer who reads the balance. */
export const balance = (customer) => ({
  kind: 'account',
  pauseMs: 100,
  call: async () => void (await customer.balance()),
});

/** Small, frequent top-ups, so that requests often need the next block of escrow. */
export const topUp = (customer, amountUsd) => ({
  kind: 'account',
  pauseMs: 1_000,
  call: async () => void (await customer.topUp(amountUsd)),
});

/** Fetches the receipt as soon as the response arrives. */
export function receipt(customer, chat) {
  return {
    kind: 'receipt',
    pauseMs: 300,
    async call() {
      const requestId = await chat.call();
      await customer.receipt(requestId);
      return requestId;
    },
  };
}
