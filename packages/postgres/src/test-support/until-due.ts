import { setTimeout as sleep } from 'node:timers/promises';

/** Columns hold milliseconds, to which PostgreSQL rounds up: what is due now may be due half a millisecond later. */
export const untilDue = (): Promise<void> => sleep(2);
