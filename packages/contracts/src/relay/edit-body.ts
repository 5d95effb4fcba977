import type { EditFile, EditHead } from '../api/images-edits.js';

const LENGTH_BYTES = 4;

export interface LoadedFile extends EditFile {
  readonly content: Uint8Array;
}

/** Encodes `[length of the head: u32][head as JSON]`. The caller appends the bytes of the files. */
export function encodeEditHead(head: EditHead): Uint8Array {
  const json = new TextEncoder().encode(JSON.stringify(head));
  const bytes = new Uint8Array(LENGTH_BYTES + json.length);
  new DataView(bytes.buffer).setUint32(0, json.length);
  bytes.set(json, LENGTH_BYTES);
  return bytes;
}

/** Decodes an edit's body; the files are views into `body`. Throws a RangeError if the body ends before its last file. */
export function decodeEditBody(body: Uint8Array): {
  readonly request: EditHead['request'];
  readonly files: readonly LoadedFile[];
} {
  const headBytes = new DataView(body.buffer, body.byteOffset, body.byteLength).getUint32(0);
  let offset = LENGTH_BYTES + headBytes;
  const { request, files } = JSON.parse(new TextDecoder().decode(body.subarray(LENGTH_BYTES, offset))) as EditHead;
  const loaded = files.map((file) => {
    const content = body.subarray(offset, offset + file.bytes);
    if (content.length !== file.bytes)
      throw new RangeError(
        `the body ends inside the file '${file.field}': expected ${file.bytes} bytes, got ${content.length}`,
      );
    offset += file.bytes;
    return { ...file, content };
  });
  return { request, files: loaded };
}
