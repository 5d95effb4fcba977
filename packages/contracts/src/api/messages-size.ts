type Fields = Readonly<Record<string, unknown>>;

/** The size of a request in the native messages format, for estimates of its tokens. */
export interface MessagesSize {
  readonly textBytes: number;
  readonly images: number;
  /** Documents other than text. */
  readonly files: number;
  /** The most expensive cache that the request writes. */
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

/** A block of an unknown kind counts as its JSON text. */
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

/** Measures a request that may be invalid; never throws. Validation is up to its model's schema or upstream. */
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
