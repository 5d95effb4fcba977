type Fields = Readonly<Record<string, unknown>>;

/** What a request in the native messages format holds, for whoever has to guess its tokens. */
export interface MessagesSize {
  readonly textBytes: number;
  readonly images: number;
  /** Documents that are no text. */
  readonly files: number;
  /** The dearest cache that the request asks to be written. */
  readonly caching: 'none' | '5m' | '1h';
}

interface Sum {
  textBytes: number;
  images: number;
  files: number;
  caching: MessagesSize['caching'];
}

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const bytesOf = (value: unknown): number =>
  typeof value === 'string' ? Buffer.byteLength(value) : Buffer.byteLength(JSON.stringify(value) ?? '');

function addCaching(holder: Fields, sum: Sum): void {
  if (!isFields(holder.cache_control)) return;
  if (holder.cache_control.ttl === '1h') sum.caching = '1h';
  else if (sum.caching === 'none') sum.caching = '5m';
}

function addContent(content: unknown, sum: Sum): void {
  if (!Array.isArray(content)) {
    if (content != null) sum.textBytes += bytesOf(content);
    return;
  }
  for (const block of content) {
    if (isFields(block)) addBlock(block, sum);
    else sum.textBytes += bytesOf(block);
  }
}

/** A block of a kind that is not known here counts as the text that it is written in. */
function addBlock(block: Fields, sum: Sum): void {
  addCaching(block, sum);
  if (block.type === 'image') sum.images += 1;
  else if (block.type === 'document') addDocument(block, sum);
  else if (block.type === 'text') sum.textBytes += bytesOf(block.text ?? '');
  else if (block.type === 'tool_result') addContent(block.content, sum);
  else if (block.type === 'tool_use') sum.textBytes += bytesOf(block.name ?? '') + bytesOf(block.input ?? {});
  else if (block.type === 'thinking') sum.textBytes += bytesOf(block.thinking ?? '');
  else sum.textBytes += bytesOf(block);
}

function addDocument({ source }: Fields, sum: Sum): void {
  if (!isFields(source)) return;
  if (source.type === 'text') sum.textBytes += bytesOf(source.data ?? '');
  else if (source.type === 'content') addContent(source.content, sum);
  else sum.files += 1;
}

/** Reads whatever is there and refuses nothing: a request that makes no sense is refused by who runs it. */
export function measureMessages(request: Fields): MessagesSize {
  const sum: Sum = { textBytes: 0, images: 0, files: 0, caching: 'none' };
  addCaching(request, sum);
  addContent(request.system, sum);
  for (const message of Array.isArray(request.messages) ? request.messages : []) {
    if (isFields(message)) addContent(message.content, sum);
  }
  for (const tool of Array.isArray(request.tools) ? request.tools : []) {
    if (isFields(tool)) addCaching(tool, sum);
    sum.textBytes += bytesOf(tool);
  }
  return sum;
}
