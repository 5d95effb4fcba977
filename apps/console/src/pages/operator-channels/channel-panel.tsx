import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { type ReactNode, useState } from 'react';
import type { Channel } from '../../api/operators.js';
import { count } from '../../format/count.js';
import { duration } from '../../format/time.js';
import { Button } from '../../parts/button.jsx';
import { Time } from '../../parts/figures.jsx';
import { Facts, Section } from '../../parts/page.jsx';
import { Empty } from '../../parts/states.jsx';
import { ChangeChannel, type ChannelChange } from './change-channel.jsx';
import { Health, StateOfChannel } from './channel-words.jsx';

function useFacts(channel: Channel): readonly (readonly [string, ReactNode])[] {
  const { t, i18n } = useLingui();
  const below = (ms: number | null) => (ms === null ? '—' : duration(ms, i18n.locale));
  const { change, last_error: last } = channel;
  return [
    [t`State`, <StateOfChannel key="state" channel={channel} />],
    [t`Health`, <Health key="health" health={channel.health} />],
    [t`Weight`, `${channel.weight ?? '—'} (${t`configured`}: ${channel.configured_weight ?? '—'})`],
    [t`In flight`, count(channel.in_flight, i18n.locale)],
    [t`Latency`, t`half below ${below(channel.latency_ms.p50)}, 95 % below ${below(channel.latency_ms.p95)}`],
    [
      t`Breaker`,
      channel.broken_in === 0 ? (
        t`closed`
      ) : (
        <Plural key="b" value={channel.broken_in} one="open in # process" other="open in # processes" />
      ),
    ],
    [t`Cooldown`, channel.cooldown_seconds === 0 ? t`none` : duration(channel.cooldown_seconds * 1_000, i18n.locale)],
    [t`Retries left`, count(Math.floor(channel.retry_tokens), i18n.locale)],
    [
      t`Last error`,
      last === null ? (
        t`none`
      ) : (
        <span key="last">
          {last.code} {last.status} <Time at={last.at} form="relative" />
        </span>
      ),
    ],
    [
      t`Last change`,
      change === null ? (
        t`none`
      ) : (
        <span key="change">
          {change.by}, <Time at={change.at} form="relative" />: {change.reason}
        </span>
      ),
    ],
  ];
}

function Errors({ channel }: { readonly channel: Channel }) {
  const { t, i18n } = useLingui();
  const errors = Object.entries(channel.errors).sort(([, one], [, other]) => other - one);
  return (
    <Section title={t`Errors of the last five minutes`}>
      {errors.length === 0 ? (
        <p className="text-muted">{t`None in ${count(channel.calls, i18n.locale)} calls.`}</p>
      ) : (
        <Facts rows={errors.map(([code, number]) => [code, count(number, i18n.locale)])} />
      )}
    </Section>
  );
}

function Processes({ channel }: { readonly channel: Channel }) {
  const { t, i18n } = useLingui();
  return (
    <Section title={t`Processes`}>
      <ul className="flex flex-col">
        {channel.processes.map((one) => (
          <li key={one.process_id} className="flex flex-wrap items-center gap-x-4 gap-y-1 border-b py-2 last:border-0">
            <span className="min-w-0 flex-1 truncate">
              {one.service} <span className="text-muted">{one.host}</span>
            </span>
            <span className="figures text-muted">{t`${count(one.in_flight, i18n.locale)} in flight`}</span>
            <StateOfChannel channel={{ state: one.state, is_applied: true }} />
          </li>
        ))}
      </ul>
    </Section>
  );
}

function View({ channel }: { readonly channel: Channel }) {
  const { t } = useLingui();
  const [change, setChange] = useState<ChannelChange>();
  const facts = useFacts(channel);
  return (
    <div className="flex flex-col gap-7">
      <Facts rows={facts} />
      <div className="flex flex-wrap gap-2">
        {channel.state !== 'active' && (
          <Button kind="filled" onClick={() => setChange('active')}>
            <Trans>Activate</Trans>
          </Button>
        )}
        {channel.state !== 'draining' && (
          <Button onClick={() => setChange('draining')}>
            <Trans>Drain</Trans>
          </Button>
        )}
        <Button onClick={() => setChange('weight')}>
          <Trans>Weigh</Trans>
        </Button>
        {channel.state !== 'paused' && (
          <Button kind="danger" onClick={() => setChange('paused')}>
            <Trans>Pause</Trans>
          </Button>
        )}
      </div>
      <Errors channel={channel} />
      {channel.model_cooldowns.length > 0 && (
        <Section title={t`Models in cooldown`}>
          <Facts rows={channel.model_cooldowns.map((one) => [one.model, t`${one.cooldown_seconds} s`])} />
        </Section>
      )}
      <Processes channel={channel} />
      {change !== undefined && <ChangeChannel channel={channel} change={change} onClose={() => setChange(undefined)} />}
    </div>
  );
}

/** One channel beside the list. Undefined: no worker reports it. */
export function ChannelPanel({ channel }: { readonly channel: Channel | undefined }) {
  const { t } = useLingui();
  if (channel === undefined)
    return (
      <Empty
        title={t`No worker reports this channel`}
        next={<Trans>Start a worker with its credential, or look at System.</Trans>}
      />
    );
  return <View key={channel.id} channel={channel} />;
}
