import { GatewayError, isGatewayError, type KeyRecord, type VideoCreation } from '@gateway/contracts';
import { Injectable } from '@nestjs/common';
import type { TakeRoom } from '../../edge-request.js';
import { StoredFiles } from '../../files/stored-files.service.js';
import { takeRoomFor } from '../../response-state/response-history.service.js';
import type { ReceivedForm } from '../../uploads/received-form.js';

const REFERENCE = 'input_reference';
/** The smallest limit of a vendor for one image. */
const MAX_IMAGE_BYTES = 20 * 1024 * 1024;
const IMAGE = /^image\/[\w.+-]+$/;

/** Reads the image of a video as an address, or as a data URL: a vendor reaches no file of ours. */
@Injectable()
export class ReadReference {
  constructor(private readonly files: StoredFiles) {}

  /** Undefined: the video has none. Throws a 400 that names the field, and 429 or 503 for a long file without room. */
  async ofJson(
    reference: VideoCreation['input_reference'],
    key: KeyRecord,
    takeRoom: TakeRoom,
  ): Promise<string | undefined> {
    if (reference?.file_id != null) return this.#ofFile(reference.file_id, key, takeRoom);
    return reference?.image_url ?? undefined;
  }

  /** As `ofJson`, of the file of a form. */
  async ofForm(form: ReceivedForm): Promise<string | undefined> {
    const [file, other] = form.files;
    if (file === undefined) return undefined;
    if (file.field !== REFERENCE) throw refusal(file.field, `unknown file: expected one in '${REFERENCE}'.`);
    if (other !== undefined) throw refusal(other.field, 'expected one file.');
    if (file.image === undefined) throw refusal(REFERENCE, 'expected an image as PNG, JPEG or WebP.');
    checkLength(file.bytes, REFERENCE);
    return dataUrl(`image/${file.image.format}`, form.read(Buffer.alloc(0)));
  }

  async #ofFile(id: string, key: KeyRecord, takeRoom: TakeRoom): Promise<string> {
    const param = `${REFERENCE}.file_id`;
    const file = await this.files.find(key, id).catch((error: unknown) => {
      throw isGatewayError(error) && error.code === 'not_found' ? refusal(param, 'there is no such file.') : error;
    });
    if (!IMAGE.test(file.contentType)) throw refusal(param, `expected an image, but the file is ${file.contentType}.`);
    checkLength(file.bytes, param);
    // A request of a few bytes costs as much as its file.
    takeRoomFor(file.bytes, takeRoom);
    return dataUrl(file.contentType, this.files.read(file));
  }
}

function checkLength(bytes: number, param: string): void {
  if (bytes > MAX_IMAGE_BYTES)
    throw refusal(param, `expected an image of at most ${MAX_IMAGE_BYTES / 1024 / 1024} MiB.`);
}

async function dataUrl(type: string, bytes: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of bytes) chunks.push(chunk);
  return `data:${type};base64,${Buffer.concat(chunks).toString('base64')}`;
}

const refusal = (param: string, expected: string): GatewayError =>
  new GatewayError('invalid_request', `'${param}': ${expected}`, { param });
