import { GatewayError } from '@gateway/contracts';
import { describe, expect, it, jest } from '@jest/globals';
import { ArrivingMessage } from './arriving-message.js';

const KIB = 1024;

function setUp(options: { readonly mostBytes?: number; readonly maySpend?: () => Promise<boolean> } = {}) {
  const { mostBytes = 1024 * KIB, maySpend = async () => true } = options;
  const refused: string[] = [];
  const counts = { opened: 0, closed: 0, bytes: 0 };
  const grow = (bytes: number): void => {
    if (counts.bytes + bytes > mostBytes) throw new GatewayError('service_unavailable', 'no room');
    counts.bytes += bytes;
  };
  const message = new ArrivingMessage({
    open: (bytes) => {
      grow(bytes);
      counts.opened += 1;
      const close = (): void => {
        counts.closed += 1;
        counts.bytes = 0;
      };
      return { grow, arrive: () => undefined, close };
    },
    maySpend,
    refuse: ({ code }) => refused.push(code),
  });
  return { message, refused, counts };
}

const settled = () => new Promise<void>((resolve) => setImmediate(resolve));

describe('a message that arrives', () => {
  it('takes room above 64 KiB, and gives it back when it is whole', async () => {
    const { message, refused, counts } = setUp();
    message.receive(64 * KIB);
    expect(counts.opened).toBe(0);
    message.receive(1);
    message.receive(200 * KIB);
    await settled();
    expect(counts).toEqual({ opened: 1, closed: 0, bytes: 264 * KIB + 1 });
    message.end();
    message.receive(64 * KIB);
    expect([counts.opened, counts.closed, counts.bytes, refused]).toEqual([1, 1, 0, []]);
  });

  it('is refused once where there is no room, and keeps what it has until the socket is closed', () => {
    const { message, refused, counts } = setUp({ mostBytes: 100 * KIB });
    for (let chunk = 0; chunk < 5; chunk += 1) message.receive(80 * KIB);
    expect([refused, counts.closed, counts.bytes]).toEqual([['service_unavailable'], 0, 80 * KIB]);
    message.end();
    expect(counts.closed).toBe(1);
  });

  it('is refused without credit, and while the credit cannot be read', async () => {
    const failures = [async () => false, () => Promise.reject(new Error('away'))];
    const codes = await Promise.all(
      failures.map(async (maySpend) => {
        const { message, refused } = setUp({ maySpend });
        message.receive(70 * KIB);
        await settled();
        return refused[0];
      }),
    );
    expect(codes).toEqual(['insufficient_balance', 'service_unavailable']);
  });

  it('is not refused for the credit of a message before it', async () => {
    const { message, refused } = setUp({ maySpend: async () => false });
    message.receive(70 * KIB);
    message.end();
    await settled();
    expect(refused).toEqual([]);
  });

  it('may take a minute', () => {
    jest.useFakeTimers();
    try {
      const { message, refused } = setUp({ maySpend: () => new Promise(() => undefined) });
      message.receive(70 * KIB);
      jest.advanceTimersByTime(59_999);
      expect(refused).toEqual([]);
      jest.advanceTimersByTime(1);
      expect(refused).toEqual(['request_timeout']);
    } finally {
      jest.useRealTimers();
    }
  });
});
