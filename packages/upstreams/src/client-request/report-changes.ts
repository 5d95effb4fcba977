import { type Changes, changesBetween } from '@gateway/contracts';

type Fields = Readonly<Record<string, unknown>>;

/** Values that mean the same as no field, so that their loss is not worth a report. */
const NEUTRAL: Fields = {
  temperature: 1,
  top_p: 1,
  presence_penalty: 0,
  frequency_penalty: 0,
  reasoning_effort: 'none',
};

/** What an adapter sends of these fields of a chat request, both by the client's names. */
export function chatChanges(request: Fields, sent: Fields): Changes {
  const given: Record<string, unknown> = {};
  for (const name of Object.keys(sent)) {
    const isLost = sent[name] == null && request[name] === NEUTRAL[name];
    if (!isLost) given[name] = request[name];
  }
  return changesBetween(given, sent);
}
