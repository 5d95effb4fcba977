import { countSpeechCharacters, type SpeechRequest, type Usage } from '@gateway/contracts';

/** Counts characters as the upstream does. Speech is the only output whose exact cost is known in advance. */
export const worstCaseOfSpeech = ({ input }: SpeechRequest): Usage => ({
  units: { character: countSpeechCharacters(input) },
  inputTokensTotal: 0,
  isEstimated: true,
});
