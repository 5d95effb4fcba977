import { GatewayError, type VideoTier, type VideoUnit, videoUnitOf } from '@gateway/contracts';
import type { VideoRequest } from './billed-video.js';
import { type BodyField, readSwitch, type VideoBody } from './video-body.js';

const SERVICE_TIERS = ['default', 'flex'];

/** The billing unit of one second of this video. Throws a 400 for a combination that the model does not support. */
export function unitOfVideo(video: VideoRequest): VideoUnit {
  const tier: VideoTier = { isSilent: isSilent(video), isFlex: isFlex(video), isDraft: isDraft(video) };
  if (tier.isDraft && tier.isFlex) {
    throw unsupported('service_tier', video, 'drafts are made in the default tier.');
  }
  const unit = videoUnitOf(video.billed.resolution, tier);
  if (unit === undefined) throw unsupported('draft', video, "drafts are 480p: send 'resolution' as 480p too.");
  return unit;
}

function unsupported(name: string, { body }: VideoRequest, reason: string): GatewayError {
  const param = body.fieldsNamed(name)[0]?.path ?? name;
  return new GatewayError('unsupported_value', `'${param}': ${reason}`, { param });
}

/** Names under which any release of the vendor's models reads the audio of a video. */
const AUDIO_NAMES = ['audio_url', 'driving_audio_url', 'driving_audio'];

const drivingMedia = (body: VideoBody): BodyField | undefined =>
  body.fieldsNamed('media').find(({ value }) => Array.isArray(value) && value.some(isDrivingAudio));

const isDrivingAudio = (one: unknown): boolean =>
  typeof one === 'object' && one !== null && 'type' in one && one.type === 'driving_audio';

/** A video has audio unless the request disables it or its draft has none. */
function isSilent(video: VideoRequest): boolean {
  const { body, traits, draft } = video;
  if (!traits.discountTiers.includes('silent')) return false;
  if (draft !== undefined) return draft.isSilent;
  if (traits.bodyFormat === 'seedance') return !readSwitch(body, 'generate_audio', true);
  const silent = !readSwitch(body, 'audio', true);
  const given = AUDIO_NAMES.flatMap((name) => body.fieldsNamed(name))[0] ?? drivingMedia(body);
  if (silent && given !== undefined) {
    throw unsupported('audio', video, `false contradicts '${given.path}', which is the audio of the video.`);
  }
  return silent;
}

function isFlex(video: VideoRequest): boolean {
  if (video.traits.bodyFormat !== 'seedance') return false;
  const given = video.body.read('service_tier');
  if (given !== undefined && !(typeof given.value === 'string' && SERVICE_TIERS.includes(given.value))) {
    throw unsupported('service_tier', video, `expected one of ${SERVICE_TIERS.join(', ')}.`);
  }
  const flex = given?.value === 'flex';
  if (flex && !video.traits.discountTiers.includes('flex')) {
    throw unsupported('service_tier', video, `${video.modelId} has no flex tier.`);
  }
  return flex;
}

function isDraft(video: VideoRequest): boolean {
  if (video.traits.bodyFormat !== 'seedance' || !readSwitch(video.body, 'draft', false)) return false;
  if (video.traits.discountTiers.includes('draft')) return true;
  throw unsupported('draft', video, `${video.modelId} makes no drafts.`);
}
