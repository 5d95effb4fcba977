import { fieldsOf, isFields, listOf, textOf } from '../../../json/fields.js';
import { classifyAddress } from '../../../media/inspect-image.js';
import type { Memory } from '../../vendor-emulator.js';
import { inspectInputImage, invalid, missing } from '../ark-errors.js';
import type { Mode, SeedanceModel, Size } from './seedance-models.js';

interface Item {
  readonly type: string;
  readonly role: string;
  readonly text: string;
  /** An address, or a draft's id. */
  readonly target: string;
}

const ROLES: Readonly<Record<string, readonly string[]>> = {
  text: [''],
  image_url: ['', 'first_frame', 'last_frame', 'reference_image'],
  video_url: ['reference_video'],
  audio_url: ['reference_audio'],
  draft_task: [''],
};

function readItem(item: unknown, at: number): Item {
  const where = `content[${at}]`;
  if (!isFields(item)) throw invalid(where, 'must be an object');
  const type = textOf(item.type);
  const roles = Object.hasOwn(ROLES, type) ? ROLES[type] : undefined;
  if (roles === undefined) throw invalid(`${where}.type`, `must be one of ${Object.keys(ROLES).join(', ')}`);
  const role = textOf(item.role);
  if (!roles.includes(role)) throw invalid(`${where}.role`, `must be one of ${roles.filter(Boolean).join(', ')}`);
  if (type === 'text') return { type, role, text: textOf(item.text), target: '' };
  const key = type === 'draft_task' ? 'id' : 'url';
  const target = textOf(fieldsOf(item[type])[key]);
  if (target === '') throw missing(`${where}.${type}.${key}`);
  return { type, role, text: '', target };
}

const countOf = (items: readonly Item[], role: string): number => items.filter((item) => item.role === role).length;

/** Frames, references and a draft exclude one another. One image without a role is the first frame. */
function modeOf(items: readonly Item[]): Mode {
  const media = items.filter(({ type }) => type !== 'text');
  if (media.length === 0) return 'text';
  if (media.some(({ type }) => type === 'draft_task')) {
    if (media.length > 1) throw invalid('content', 'a draft task cannot be combined with other media');
    return 'draft';
  }
  const references = media.filter(({ role }) => role.startsWith('reference_'));
  if (references.length > 0 && references.length < media.length) {
    throw invalid('content', 'first/last frames and references are mutually exclusive');
  }
  if (references.length > 0) return 'references';
  if (media.length === 1 && countOf(media, 'last_frame') === 0) return 'first_frame';
  if (media.length === 2 && countOf(media, 'first_frame') === 1 && countOf(media, 'last_frame') === 1) return 'frames';
  throw invalid('content', 'images must be one first_frame, or one first_frame and one last_frame');
}

function checkReferences(items: readonly Item[], { references }: SeedanceModel): void {
  const limits = {
    reference_image: references.images,
    reference_video: references.videos,
    reference_audio: references.audios,
  };
  for (const [role, max] of Object.entries(limits)) {
    if (countOf(items, role) > max) {
      throw invalid('content', `the number of ${role} must be at most ${max} for the current model`);
    }
  }
  if (countOf(items, 'reference_image') + countOf(items, 'reference_video') === 0) {
    throw invalid('content', 'reference_audio must come with an image or a video');
  }
}

function checkAddress(url: string, where: string, memory: Memory): void {
  const isThere = memory.results.owns(url) ? memory.results.at(url) !== undefined : classifyAddress(url) === 'external';
  if (!isThere) throw invalid(where, 'the resource cannot be downloaded');
}

/** Assets of the vendor's library; not checked. */
const ASSET = 'asset://';

function inspectMedia(items: readonly Item[], memory: Memory): Size | undefined {
  let first: Size | undefined;
  items.forEach(({ type, target }, at) => {
    if (target.startsWith(ASSET)) return;
    if (type === 'image_url') {
      const inspection = inspectInputImage(target, `content[${at}].image_url`, memory);
      first ??= inspection.kind === 'readable' ? { width: inspection.width, height: inspection.height } : undefined;
    } else if (type === 'video_url' || type === 'audio_url') {
      checkAddress(target, `content[${at}].${type}.url`, memory);
    }
  });
  return first;
}

export function readContent(content: unknown, model: SeedanceModel, memory: Memory) {
  const items = listOf(content).map(readItem);
  if (items.length === 0) throw missing('content');
  const mode = modeOf(items);
  if (!model.modes.includes(mode)) {
    throw invalid('content', `the task type ${mode} is not supported by the current model`);
  }
  if (mode === 'references') checkReferences(items, model);
  const text = items
    .map((item) => item.text)
    .join('\n')
    .trim();
  if (mode === 'text' && text === '') throw missing('content.text');
  return {
    mode,
    text,
    image: inspectMedia(items, memory),
    hasVideo: items.some(({ type }) => type === 'video_url'),
    draftId: items.find(({ type }) => type === 'draft_task')?.target ?? null,
  };
}

export type Content = ReturnType<typeof readContent>;
