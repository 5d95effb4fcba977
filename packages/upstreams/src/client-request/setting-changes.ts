import { type Changes, changesBetween, type NeutralSettings, type SettingName } from '@gateway/contracts';

/** Values that mean the same as no setting, so that their loss is not worth a report. */
const NEUTRAL: NeutralSettings = {
  temperature: 1,
  topP: 1,
  presencePenalty: 0,
  frequencyPenalty: 0,
  effort: 'none',
  parallelToolCalls: true,
  logprobs: false,
  topLogprobs: 0,
};

const isEmpty = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && Object.keys(value).length === 0;

/** True of a value whose loss changes nothing. */
const isNeutral = (name: SettingName, value: unknown): boolean => value === NEUTRAL[name] || isEmpty(value);

/** What an adapter sends of these settings, by their neutral names. */
export function settingChanges(settings: NeutralSettings, sent: NeutralSettings): Changes {
  const given: Partial<Record<SettingName, unknown>> = {};
  for (const name of Object.keys(sent) as SettingName[]) {
    const isLost = sent[name] == null && isNeutral(name, settings[name]);
    if (!isLost) given[name] = settings[name];
  }
  return changesBetween(given, { ...sent });
}

/** The settings of a request that a protocol lacks and whose loss matters. */
export const lostSettings = (settings: NeutralSettings, known: ReadonlySet<SettingName>): readonly SettingName[] =>
  (Object.keys(settings) as SettingName[]).filter(
    (name) => settings[name] !== undefined && !known.has(name) && !isNeutral(name, settings[name]),
  );
