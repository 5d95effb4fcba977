/** A person who looks at the balance. */
export const balance = (customer) => ({
  kind: 'account',
  restMs: 100,
  ask: async () => void (await customer.balance()),
});

/** One whose balance is small and topped up often, so that every few of the requests need the next block of it. */
export const topUp = (customer, amountUsd) => ({
  kind: 'account',
  restMs: 1_000,
  ask: async () => void (await customer.topUp(amountUsd)),
});

/** A program that asks for its receipt as soon as it has its answer. */
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
