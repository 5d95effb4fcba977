import type { GatewayError } from '@gateway/contracts';
import { isDatabaseUnavailable } from '@gateway/postgres';

/**
 * Waits for a query. While PostgreSQL is away it throws `unavailable`, without the reason, which names internal addresses. Every other
 * failure is a fault of ours: it stays, and the error filter logs it.
 */
export async function unlessAway<Found>(query: Promise<Found>, unavailable: () => GatewayError): Promise<Found> {
  try {
    return await query;
  } catch (error) {
    throw isDatabaseUnavailable(error) ? unavailable() : error;
  }
}
