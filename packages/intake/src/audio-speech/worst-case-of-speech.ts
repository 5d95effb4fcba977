import { countSpeechCharacters, type SpeechRequest, type Usage } from '@gateway/contracts';

/** What the text costs, as the upstream says that it counts: speech is the one thing whose cost is known before it is made. */
export const worstCaseOfSpeech = ({ input }: SpeechRequest): Usage => ({
  units: { character: countSpeechCharacters(input) },
  inputTokensTotal: 0,
  isEstimated: true,
});
