import type { DrawnRequest } from './drawn-requests.js';

const CONCURRENT = 24;
const HANGS_AFTER_MS = 20_000;

/** What is wrong with the answer to a drawn request: a fault of the server, or none at all. */
export async function faultOf(
  baseUrl: string,
  { operation, path, body }: DrawnRequest,
  { credential, judge }: { credential: string | undefined; judge: (status: number) => string | undefined },
): Promise<string | undefined> {
  const shown = `${operation.method} ${path} ${body ?? ''}`.slice(0, 2_000);
  try {
    const response = await fetch(`${baseUrl}${path}`, {
      method: operation.method,
      headers: {
        ...(credential !== undefined && { authorization: `Bearer ${credential}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body }),
      redirect: 'manual',
      signal: AbortSignal.timeout(HANGS_AFTER_MS),
    });
    const text = await response.text();
    const fault = judge(response.status);
    return fault === undefined ? undefined : `${fault} ${text.slice(0, 300)} for ${shown}`;
  } catch (error) {
    return `${(error as Error).name} ${(error as Error).message} for ${shown}`;
  }
}

export const isServerFault = (status: number): string | undefined => (status < 500 ? undefined : `${status}`);

/** Runs the checks, some of them at once. Returns what they find. */
export async function faultsOf(checks: readonly (() => Promise<string | undefined>)[]): Promise<readonly string[]> {
  const faults: string[] = [];
  let next = 0;
  const send = async (): Promise<void> => {
    for (let check = checks[next++]; check !== undefined; check = checks[next++]) {
      const fault = await check();
      if (fault !== undefined) faults.push(fault);
    }
  };
  await Promise.all(Array.from({ length: CONCURRENT }, send));
  return faults;
}
