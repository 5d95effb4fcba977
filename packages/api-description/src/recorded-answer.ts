/** An answer that a scenario got: what the document shows for the example of the same name. */
export interface RecordedAnswer {
  readonly status: number;
  readonly contentType: string | null;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
}

/** `<operation id>/<example>` → the answer. */
export type RecordedAnswers = Readonly<Record<string, RecordedAnswer>>;
