import { type InvoiceUsage, invoiceOf } from '../../count/tokens.js';
import { textOf } from '../../json/fields.js';
import { MEDIA_TYPES, type Picture, renderPicture } from '../../picture/picture.js';
import type { MadeReply, Memory, Received, Route } from '../persona.js';
import { findImageModel, type ImageModel } from './image-models.js';
import { parseBody } from './parse-body.js';
import { type ImageTask, readImageTask } from './read-image-task.js';
import { invalidArgument, TICKS_PER_CENT, unknownModel, xaiHeaders } from './xai-errors.js';

/** Pictures that moderation keeps back are not billed. */
const comingOf = ({ pictures, directives }: ImageTask): number =>
  Math.max(0, pictures - (directives.failedImages ?? 0));

function billOf(model: ImageModel, task: ImageTask): InvoiceUsage | null {
  const coming = comingOf(task);
  if (coming === 0) {
    return null;
  }
  const unit = model.hasQuality ? `image_${task.resolution.replace('.', '_')}_${task.quality}` : 'image';
  return invoiceOf({ [unit]: coming, ...(model.centsOfReference > 0 && { input_image: task.references }) });
}

const ticksOf = (model: ImageModel, task: ImageTask): number => {
  const coming = comingOf(task);
  const references = coming === 0 ? 0 : task.references * model.centsOfReference;
  return (coming * model.centsOfPicture(task.resolution, task.quality) + references) * TICKS_PER_CENT;
};

function entryOf(task: ImageTask, index: number, memory: Memory, host: string | undefined): object {
  const common = { mime_type: MEDIA_TYPES.jpeg, revised_prompt: '' };
  if (index >= comingOf(task)) {
    return { ...common, respect_moderation: false };
  }
  const { text, width, height, directives } = task;
  const picture: Picture = { text, width, height, format: 'jpeg', bytesAtLeast: directives.pictureBytes };
  return task.isBase64
    ? { b64_json: renderPicture(picture).toString('base64'), ...common }
    : { url: memory.results.put(picture, host), ...common };
}

const answerOn =
  (isEdit: boolean) =>
  (received: Received, memory: Memory): MadeReply => {
    const request = parseBody(received);
    const name = textOf(request.model);
    received.note.model = name;
    const model = findImageModel(name);
    if (model === undefined) {
      throw unknownModel(name);
    }
    const task = readImageTask(request, model, memory);
    if (isEdit && task.references === 0) {
      throw invalidArgument('An image is required to edit.');
    }
    const data = () =>
      Array.from({ length: task.pictures }, (_, index) => entryOf(task, index, memory, received.headers.host));
    const usage = task.directives.hidesUsage === true ? {} : { usage: { cost_in_usd_ticks: ticksOf(model, task) } };
    return {
      kind: 'made',
      directives: task.directives,
      headers: xaiHeaders(),
      usage: billOf(model, task),
      whole: () => JSON.stringify({ data: data(), ...usage }),
    };
  };

/** `POST /v1/images/generations`, and with references `POST /v1/images/edits`, which is JSON as well. */
export const imageRoutes: readonly Route[] = [
  { method: 'POST', path: '/v1/images/generations', protocol: 'xai-images', answer: answerOn(false) },
  { method: 'POST', path: '/v1/images/edits', protocol: 'xai-images', answer: answerOn(true) },
];
