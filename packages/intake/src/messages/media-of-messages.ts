import { inlineOf, type MediaTally } from '../media/media-tally.js';

type Fields = Readonly<Record<string, unknown>>;

const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null;
const TEXT_SOURCES: readonly unknown[] = ['text', 'content'];
const KINDS: Readonly<Record<string, 'image' | 'file'>> = {
  image: 'image',
  document: 'file',
  container_upload: 'file',
};

/** Adds the images and documents of a body in the native messages format, which may be invalid. */
export function addMediaOfMessages({ system, messages }: Fields, media: MediaTally): void {
  addContent(system, media);
  if (!Array.isArray(messages)) return;
  for (const message of messages) if (isFields(message)) addContent(message.content, media);
}

function addContent(content: unknown, media: MediaTally): void {
  if (!Array.isArray(content)) return;
  for (const block of content) if (isFields(block)) addBlock(block, media);
}

/** A block may hold others: a tool's result, or a document made of blocks. */
function addBlock(block: Fields, media: MediaTally): void {
  addContent(block.content, media);
  const kind = KINDS[String(block.type)];
  if (kind === undefined) return;
  const source = isFields(block.source) ? block.source : {};
  if (TEXT_SOURCES.includes(source.type)) addContent(source.content, media);
  else media.add(kind, source.type === 'base64' ? inlineOf(source.data) : undefined);
}
