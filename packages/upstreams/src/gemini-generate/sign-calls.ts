/**
 * Stands for the signature of a call that this vendor's model did not make, such as in a conversation that another model began:
 * ai.google.dev/gemini-api/docs/thought-signatures.
 */
const NO_SIGNATURE = 'skip_thought_signature_validator';

/** A part in either spelling. */
interface CallPart {
  readonly functionCall?: unknown;
  readonly function_call?: unknown;
  readonly thoughtSignature?: unknown;
  readonly thought_signature?: unknown;
}

const isCall = (part: CallPart): boolean => (part.functionCall ?? part.function_call) != null;

export const signatureIn = (part: CallPart): unknown => part.thoughtSignature ?? part.thought_signature;

/** Parts whose calls the vendor accepts. Of parallel calls only the first one has a signature. */
export function signCalls<Part extends object>(parts: readonly Part[]): readonly Part[] {
  const first = parts.findIndex(isCall);
  if (first < 0 || parts.some((part) => signatureIn(part) != null)) return parts;
  return parts.map((part, at) => (at === first ? { ...part, thoughtSignature: NO_SIGNATURE } : part));
}
