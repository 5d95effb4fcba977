import { type Fields, isFields } from '../json/fields.js';
import type { ErrorSpec, Headers, IncomingRequest, Refusal, VendorEmulator } from './vendor-emulator.js';

/**
 * A vendor's error for each status, for faults and for the simulator's own errors. `refuse` puts a row into the vendor's
 * shape; `message`, if given, replaces the row's own.
 */
export const statusErrors =
  <Row>(
    rows: Readonly<Record<number, Row>>,
    fallback: (status: number) => Row,
    refuse: (status: number, row: Row, message: string | undefined, headers: Headers) => Refusal,
  ): VendorEmulator['errorOf'] =>
  ({ status, retryAfterSeconds, message }: ErrorSpec) => {
    const headers: Headers = retryAfterSeconds === undefined ? {} : { 'retry-after': `${retryAfterSeconds}` };
    return refuse(status, rows[status] ?? fallback(status), message, headers);
  };

interface CredentialErrors {
  missing(): Refusal;
  invalid(credential: string): Refusal;
  outOfQuota(): Refusal;
  inArrears?(): Refusal;
}

/** Accepts any credential except an empty one, `bad…`, `…broke…` and, for some vendors, `…arrears…`. */
export const credentialCheck =
  ({ missing, invalid, outOfQuota, inArrears }: CredentialErrors): VendorEmulator['checkCredential'] =>
  (credential) => {
    if (credential === undefined || credential === '') throw missing();
    if (credential.startsWith('bad')) throw invalid(credential);
    if (credential.includes('broke')) throw outOfQuota();
    if (inArrears !== undefined && credential.includes('arrears')) throw inArrears();
  };

/** The JSON object of the body; throws `refusal` for anything else. */
export function parseJsonObject({ body }: IncomingRequest, refusal: () => Refusal): Fields {
  let request: unknown;
  try {
    request = JSON.parse(body.toString('utf8'));
  } catch {
    throw refusal();
  }
  if (!isFields(request)) throw refusal();
  return request;
}
