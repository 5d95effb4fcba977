import { useLingui } from '@lingui/react/macro';
import { useMemo } from 'react';

/** `image_1k_low`: a unit, then what makes its price another one. Sizes such as `720p` are words of every language. */
function inWords(
  unit: string,
  units: Readonly<Record<string, string>>,
  kinds: Readonly<Record<string, string>>,
): string {
  const known = Object.keys(units).find((name) => unit === name || unit.startsWith(`${name}_`)) ?? '';
  const kind = unit.slice(known.length).split('_').filter(Boolean);
  return [units[known] ?? '', ...kind.map((word) => kinds[word] ?? word)].join(' ').trim();
}

/** What is billed, in words: `input token`, `second 720p silent`. */
export function useUnitWords(): (unit: string) => string {
  const { t } = useLingui();
  return useMemo(() => {
    // A longer name stands before its beginning.
    const units = {
      cached_input_token: t`cached input token`,
      cache_write_1h_token: t`cache write 1h token`,
      cache_write_token: t`cache write token`,
      input_audio_token: t`input audio token`,
      input_image_token: t`input image token`,
      input_token: t`input token`,
      output_image_token: t`output image token`,
      output_token: t`output token`,
      input_image: t`input image`,
      image: t`image`,
      character: t`character`,
      input_second: t`input second`,
      second: t`second`,
      web_search: t`web search`,
    };
    const kinds = { low: t`low`, medium: t`medium`, silent: t`silent`, flex: t`flex`, draft: t`draft` };
    return (unit) => inWords(unit, units, kinds);
  }, [t]);
}
