export type { ChannelSettings } from './channel.js';
export { type ChannelPool, ChooseChannel } from './choose-channel.js';
export { judgeFailure, UpstreamRefused, type Verdict } from './judge-failure.js';
export {
  type AttemptUnderWay,
  type ChannelCall,
  type RefusedCredential,
  type Tried,
  TryChannels,
} from './try-channels.js';
