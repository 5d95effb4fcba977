import { useLingui } from '@lingui/react/macro';

/** Lists have one mode at a time: live data first. */
export function useModeChoices() {
  const { t } = useLingui();
  return { label: t`Mode`, any: t`Live`, choices: [{ value: 'true', label: t`Test keys` }] };
}
