import type { Vendor } from '@gateway/contracts';
import type { Channel } from './channel.js';
import { CREDENTIAL_COOLDOWN_MS, type FailureVerdict } from './classify-upstream-failure.js';
import type { ChannelEvents, RejectedCredential } from './failover-call.js';
import type { CredentialProbe } from './model-list-probe.js';

/** The call whose failure may close a channel. */
export interface RejectedCall {
  readonly vendor: Vendor;
  readonly publicModel: string;
  readonly upstreamModel: string;
  readonly accountId: string;
}

interface Rejection {
  readonly status: number | undefined;
  readonly verdict: FailureVerdict;
}

/**
 * Closes a channel, or one model on it, after the vendor has rejected its credential. A rejection that the client's request
 * may have caused closes nothing until a second account sees it too, or a probe of our own confirms it.
 * State is per process: each one confirms for itself, so that no request waits for Redis.
 */
export class ChannelCloser {
  constructor(
    private readonly probe: CredentialProbe,
    private readonly events: ChannelEvents,
  ) {}

  onRejection(call: RejectedCall, channel: Channel, rejection: Rejection): void {
    const { verdict, status } = rejection;
    if (verdict.isSpent) this.events.onSpentAccount({ channel: channel.id, vendor: call.vendor, status });
    if (!verdict.needsConfirmation) this.#close(call, channel, rejection, undefined);
    else if (channel.suspicions.add(call.publicModel, call.accountId, Date.now())) {
      this.events.onSuspicion(channel.id, 'second_account');
      this.#close(call, channel, rejection, 'second_account');
    } else void this.#confirmByProbe(call, channel, rejection);
  }

  /** Never rejects: the probe reports its own failures as `unknown`. */
  async #confirmByProbe(call: RejectedCall, channel: Channel, rejection: Rejection): Promise<void> {
    const result = await this.probe.check(channel.settings, call.upstreamModel);
    if (result !== 'refused' && result !== 'model_missing') {
      return this.events.onSuspicion(channel.id, 'unconfirmed');
    }
    this.events.onSuspicion(channel.id, 'probe');
    const cooldowns =
      result === 'refused'
        ? { channelCooldownMs: CREDENTIAL_COOLDOWN_MS, modelCooldownMs: 0 }
        : { channelCooldownMs: 0, modelCooldownMs: CREDENTIAL_COOLDOWN_MS };
    this.#close(call, channel, { ...rejection, verdict: { ...rejection.verdict, ...cooldowns } }, 'probe');
  }

  /** Reports once for each cooldown, however many calls fail at the same time. */
  #close(
    { vendor, publicModel }: RejectedCall,
    channel: Channel,
    { status, verdict: { channelCooldownMs, modelCooldownMs } }: Rejection,
    confirmedBy: RejectedCredential['confirmedBy'],
  ): void {
    const nowMs = performance.now();
    const isReported = channel.cooldownMs(nowMs, publicModel) > 0;
    if (channelCooldownMs > 0) channel.coolDown(channelCooldownMs, nowMs);
    if (modelCooldownMs > 0) channel.coolDownModel(publicModel, modelCooldownMs, nowMs);
    if (isReported) return;
    const model = modelCooldownMs > 0 ? publicModel : undefined;
    const cooldownMs = Math.max(channelCooldownMs, modelCooldownMs);
    this.events.onRejectedCredential({ channel: channel.id, vendor, model, status, cooldownMs, confirmedBy });
  }
}
