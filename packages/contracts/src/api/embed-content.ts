import { z } from 'zod';
import { message } from './proto-json.js';

/* models.embedContent and models.batchEmbedContents of Google's native API: ai.google.dev/api/embeddings. */

/** The most contents that Google's API takes in one batch. */
export const MAX_EMBED_CONTENTS = 100;

const TASKS = [
  'TASK_TYPE_UNSPECIFIED',
  'RETRIEVAL_QUERY',
  'RETRIEVAL_DOCUMENT',
  'SEMANTIC_SIMILARITY',
  'CLASSIFICATION',
  'CLUSTERING',
  'QUESTION_ANSWERING',
  'FACT_VERIFICATION',
  'CODE_RETRIEVAL_QUERY',
] as const;

const content = message({
  parts: z.array(message({ text: z.string({ error: 'expected text: other media have no price here' }) })).min(1),
});

const shape = {
  model: z.string().optional(),
  content,
  taskType: z.enum(TASKS).optional(),
  title: z.string().optional(),
  outputDimensionality: z.int().min(1).optional(),
};

export const embedContentRequest = message(shape);

export const batchEmbedContentsRequest = message({
  model: z.string().optional(),
  requests: z.array(message(shape)).min(1).max(MAX_EMBED_CONTENTS),
});

export type EmbedContentRequest = z.infer<typeof embedContentRequest>;

/** One text of a batch, and what Google's API lets a client say of it. */
export interface ContentToEmbed {
  readonly text: string;
  readonly taskType?: string;
  readonly title?: string;
  readonly dimensions?: number;
}

/** The contents of either body, which must be valid. Several parts of one content give one vector. */
export function contentsToEmbed(body: unknown): readonly ContentToEmbed[] {
  const batch = batchEmbedContentsRequest.safeParse(body);
  const requests = batch.success ? batch.data.requests : [embedContentRequest.parse(body)];
  return requests.map(({ content: { parts }, taskType, title, outputDimensionality }) => ({
    text: parts.map(({ text }) => text).join(''),
    ...(taskType !== undefined && taskType !== 'TASK_TYPE_UNSPECIFIED' && { taskType }),
    ...(title !== undefined && { title }),
    ...(outputDimensionality !== undefined && { dimensions: outputDimensionality }),
  }));
}
