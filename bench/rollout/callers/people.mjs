/** A person who reads the balance. */
export const balance = (customer) => ({
  kind: 'account',
  pauseMs: 100,
  run: async () => void (await customer.balance()),
});

/** A customer with a small balance and frequent top-ups, so that requests often need a new block. */
export const topUp = (customer, amountUsd) => ({
  kind: 'account',
  pauseMs: 1_000,
  run: async () => void (await customer.topUp(amountUsd)),
});

/** A program that reads its receipt directly after the response. */
export function receipt(customer, chat) {
  return {
    kind: 'receipt',
    pauseMs: 300,
    async run() {
      const requestId = await chat.run();
      await customer.receipt(requestId);
      return requestId;
    },
  };
}
