import { GatewayError, type VideoTier, type VideoUnit, videoUnitOf } from '@gateway/contracts';
import type { VideoRequest } from './billed-video.js';
import { readSwitch } from './video-body.js';

const SERVICE_TIERS = ['default', 'flex'];

/** The unit that a second of this video counts as. Throws a 400 for a combination that the model has not. */
export function unitOfVideo(it: VideoRequest): VideoUnit {
  const tier: VideoTier = { isSilent: isSilent(it), isFlex: isFlex(it), isDraft: isDraft(it) };
  if (tier.isDraft && tier.isFlex) {
    throw unsupported('service_tier', it, 'drafts are made in the default tier.');
  }
  const unit = videoUnitOf(it.billed.resolution, tier);
  if (unit === undefined) throw unsupported('draft', it, "drafts are 480p: send 'resolution' as 480p too.");
  return unit;
}

function unsupported(name: string, { body }: VideoRequest, reason: string): GatewayError {
  const param = body.fieldsNamed(name)[0]?.path ?? name;
  return new GatewayError('unsupported_value', `'${param}': ${reason}`, { param });
}

/** Sound is made unless the request says no, or its draft had none. */
function isSilent(it: VideoRequest): boolean {
  const { body, traits, draft } = it;
  if (!traits.discountTiers.includes('silent')) return false;
  if (draft !== undefined) return draft.isSilent;
  if (traits.bodyFormat === 'seedance') return !readSwitch(body, 'generate_audio', true);
  const silent = !readSwitch(body, 'audio', true);
  if (silent && body.fieldsNamed('audio_url').length > 0) {
    throw unsupported('audio', it, "false contradicts 'input.audio_url', which is the sound of the video.");
  }
  return silent;
}

function isFlex(it: VideoRequest): boolean {
  if (it.traits.bodyFormat !== 'seedance') return false;
  const given = it.body.read('service_tier');
  if (given !== undefined && !(typeof given.value === 'string' && SERVICE_TIERS.includes(given.value))) {
    throw unsupported('service_tier', it, `expected one of ${SERVICE_TIERS.join(', ')}.`);
  }
  const flex = given?.value === 'flex';
  if (flex && !it.traits.discountTiers.includes('flex')) {
    throw unsupported('service_tier', it, `${it.modelId} has no flex tier.`);
  }
  return flex;
}

function isDraft(it: VideoRequest): boolean {
  if (it.traits.bodyFormat !== 'seedance' || !readSwitch(it.body, 'draft', false)) return false;
  if (it.traits.discountTiers.includes('draft')) return true;
  throw unsupported('draft', it, `${it.modelId} makes no drafts.`);
}
