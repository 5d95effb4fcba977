import { z } from 'zod';

/** Today's IANA names of zones that the runtime lists by a former name only. */
const RENAMED = [
  'Africa/Asmara',
  'America/Argentina/Buenos_Aires',
  'America/Argentina/Catamarca',
  'America/Argentina/Cordoba',
  'America/Argentina/Jujuy',
  'America/Argentina/Mendoza',
  'America/Atikokan',
  'America/Indiana/Indianapolis',
  'America/Kentucky/Louisville',
  'America/Nuuk',
  'Asia/Ho_Chi_Minh',
  'Asia/Kathmandu',
  'Asia/Kolkata',
  'Asia/Yangon',
  'Atlantic/Faroe',
  'Europe/Kyiv',
  'Pacific/Chuuk',
  'Pacific/Kanton',
  'Pacific/Pohnpei',
];

/** Every IANA name that the runtime and PostgreSQL both know. */
export const TIME_ZONES: ReadonlySet<string> = new Set(['UTC', ...RENAMED, ...Intl.supportedValuesOf('timeZone')]);

/** An IANA name that PostgreSQL knows too. */
export const timeZone = z
  .string()
  .refine((name) => TIME_ZONES.has(name), 'must be an IANA time zone such as Europe/Berlin');
