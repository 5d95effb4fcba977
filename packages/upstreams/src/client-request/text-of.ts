interface Part {
  readonly type: string;
  readonly text?: unknown;
  readonly refusal?: unknown;
}

/** Joins the text and refusal parts of a message content. Ignores all other parts. */
export function textOf(content: string | readonly Part[] | null | undefined): string {
  if (typeof content === 'string') return content;
  let text = '';
  for (const part of content ?? []) {
    if (part.type === 'text' && typeof part.text === 'string') text += part.text;
    else if (part.type === 'refusal' && typeof part.refusal === 'string') text += part.refusal;
  }
  return text;
}
