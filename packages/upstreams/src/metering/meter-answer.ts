import type { AnswerPart, NeutralRequest } from '@gateway/contracts';
import { estimatePromptTokens } from './estimate-prompt-tokens.js';
import { OutputMeter } from './output-meter.js';

/** Meters a whole answer, for an estimate of its tokens. */
export function meterAnswer(request: NeutralRequest, content: readonly AnswerPart[]): OutputMeter {
  const meter = new OutputMeter(estimatePromptTokens(request));
  for (const part of content) {
    if (part.type === 'text' || part.type === 'refusal') meter.addText(part.text);
    else if (part.type === 'reasoning') meter.addReasoning(part.text);
    else if (part.type === 'tool-call') meter.addText(part.name + part.input);
  }
  return meter;
}
