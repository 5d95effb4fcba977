import { GatewayError, type VideoTier, type VideoUnit, videoUnitOf } from '@gateway/contracts';
import type { VideoRequest } from './billed-video.js';
import { readSwitch } from './video-body.js';

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

/** A video has audio unless the request disables it or its draft has none. */
function isSilent(video: VideoRequest): boolean {
  const { body, traits, draft } = video;
  if (!traits.discountTiers.includes('silent')) return false;
  if (draft !== undefined) return draft.isSilent;
  if (traits.bodyFormat === 'seedance') return !readSwitch(body, 'generate_audio', true);
  const silent = !readSwitch(body, 'audio', true);
  if (silent && body.fieldsNamed('audio_url').length > 0) {
    throw unsupported('audio', video, "false contradicts 'input.audio_url', which is the audio of the video.");
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
