import type { FixedReply, IncomingRequest, Memory, Route } from '../vendor-emulator.js';
import { arkHeaders } from './ark-errors.js';
import { SEEDREAM_MODELS } from './images.route.js';
import { SEEDANCE_MODELS } from './video/seedance-models.js';

/** Names end with the day of the version, such as `-260128`. */
const createdOf = (id: string): number => {
  const [, year, month, day] = /(\d{2})(\d{2})(\d{2})$/.exec(id) ?? [];
  return Math.floor(Date.parse(`20${year}-${month}-${day}T00:00:00Z`) / 1_000);
};

/** This vendor keeps retired models in its list. */
const handle = (_incoming: IncomingRequest, { calendar }: Memory): FixedReply => {
  const entry = (id: string, domain: string): object => ({
    id,
    object: 'model',
    created: createdOf(id),
    name: id.replace(/-\d{6}$/, ''),
    version: /\d{6}$/.exec(id)?.[0],
    domain,
    status: calendar.isRetired('ark', id) ? 'Shutdown' : 'Active',
    owned_by: 'byteplus',
  });
  const data = [
    ...SEEDREAM_MODELS.map((id) => entry(id, 'ImageGeneration')),
    ...SEEDANCE_MODELS.map((id) => entry(id, 'VideoGeneration')),
  ];
  return { kind: 'fixed', headers: arkHeaders(), body: JSON.stringify({ object: 'list', data }) };
};

export const modelsRoute: Route = { method: 'GET', path: '/api/v3/models', protocol: 'ark-models', handle };
