/** A person who reads the balance. */
export const balance = (customer) => ({
  kind: 'account',
  restMs: 100,
  ask: async () => void (await customer.balance()),
});

/** A customer with a small balance and frequent top-ups, so that requests often need a new block. */
export const topUp = (customer, amountUsd) => ({
  kind: 'account',
  restMs: 1_000,
  ask: async () => void (await customer.topUp(amountUsd)),
});

/** A program that reads its receipt directly after the response. */
export function receipt(customer, chat) {
  return {
    kind: 'receipt',
    restMs: 300,
    async ask() {
      const requestId = await chat.ask();
      await customer.receipt(requestId);
      return requestId;
    },
  };
}
