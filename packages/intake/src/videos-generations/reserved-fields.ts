import { GatewayError } from '@gateway/contracts';
import type { VideoBody } from './video-body.js';

/** Throws a 400 if the body has one of these fields. `reasons`: message by field name. */
export function rejectReserved(body: VideoBody, reasons: Readonly<Record<string, string>>): void {
  for (const [name, reason] of Object.entries(reasons)) {
    const [given] = body.fieldsNamed(name);
    if (given === undefined) continue;
    throw new GatewayError('unsupported_parameter', `'${given.path}': ${reason}`, { param: given.path });
  }
}
