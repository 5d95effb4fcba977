import { describe, expect, it } from '@jest/globals';
import { TIME_ZONES, timeZone } from './time-zone.js';

describe('timeZone', () => {
  it.each(['UTC', 'Europe/Berlin', 'Asia/Kolkata', 'Asia/Calcutta', 'Europe/Kyiv', 'Europe/Kiev', 'America/Nuuk'])(
    'takes %s, in the present name and in the former one',
    (name) => expect(timeZone.parse(name)).toBe(name),
  );

  it.each(['', 'Mars/Olympus', 'asia/kolkata', '+05:00', 'Asia/Kolkata '])('refuses %j', (name) =>
    expect(timeZone.safeParse(name).success).toBe(false),
  );

  it('takes only names whose calendar the runtime knows', () => {
    for (const name of TIME_ZONES) expect(Temporal.Now.zonedDateTimeISO(name).timeZoneId).toBe(name);
  });
});
