import { msg } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import type { Model } from '../../../api/models.js';
import { TextArea, TextField } from '../../../parts/field.jsx';
import { Select } from '../../../parts/select.jsx';
import { given, jsonRequest } from '../bench/api-request.js';
import type { FormProps, Kind } from '../bench/kind.js';
import { followTask, type VideoTask } from './follow-task.js';
import { videoInput } from './video-body.js';
import { imagesOf, needsImages, resolutionOf, secondsOf, takesImages, type VideoDraft } from './video-draft.js';
import { VideoResult } from './video-result.jsx';

function Form({ draft, change, models }: FormProps<VideoDraft>) {
  const { t } = useLingui();
  return (
    <div className="flex flex-col gap-3">
      <TextArea label={t`What happens`} value={draft.prompt} onValue={(prompt) => change({ prompt })} />
      {models.every(takesImages) && (
        <TextArea
          label={t`Addresses of images`}
          hint={t`Public, one on each line: the first frame, or what appears in the video.`}
          rows={2}
          value={draft.images}
          onValue={(images) => change({ images })}
        />
      )}
    </div>
  );
}

const common = (models: readonly Model[], of: (model: Model) => readonly string[]): readonly string[] =>
  (models[0] === undefined ? [] : of(models[0])).filter((value) => models.every((model) => of(model).includes(value)));

const OWN = 'own';

function Settings({ draft, change, models }: FormProps<VideoDraft>) {
  const { t } = useLingui();
  const resolutions = common(models, ({ limits }) => limits.resolutions ?? []);
  const ratios = common(models, ({ limits }) => limits.aspect_ratios ?? []);
  const [first] = models;
  const lengths = first?.limits.durations;
  const hint =
    lengths === undefined ? '' : 'min' in lengths ? t`${lengths.min} to ${lengths.max} seconds` : lengths.join(', ');
  return (
    <>
      <TextField
        label={t`Seconds`}
        hint={hint}
        inputMode="numeric"
        placeholder={first === undefined ? '' : String(secondsOf(first, ''))}
        value={draft.seconds}
        onValue={(seconds) => change({ seconds: seconds.replace(/\D/g, '') })}
      />
      {first !== undefined && resolutions.length > 0 && (
        <Select
          label={t`Resolution`}
          value={resolutionOf(first, draft)}
          onValue={(resolution) => change({ resolution })}
          choices={resolutions.map((value) => ({ value, label: value }))}
          className="w-full"
        />
      )}
      {ratios.length > 0 && (
        <Select
          label={t`Shape`}
          value={draft.ratio === '' ? OWN : draft.ratio}
          onValue={(ratio) => change({ ratio: ratio === OWN ? '' : ratio })}
          choices={[{ value: OWN, label: t`The model's own` }, ...ratios.map((value) => ({ value, label: value }))]}
          className="w-full"
        />
      )}
    </>
  );
}

/** Videos: submitted, followed, and played in the page when they are ready. */
export const VIDEO: Kind<VideoDraft, VideoTask | null> = {
  isConversation: false,
  first: { prompt: '', images: '', seconds: '', resolution: '', ratio: '' },
  examples: [
    msg`A paper boat drifts down a stream after rain, the camera follows it closely`,
    msg`Clouds pass over a mountain lake at sunrise, in time lapse`,
  ].map((label) => ({ label, fill: (prompt) => ({ prompt }) })),
  isReady: ({ prompt }) => prompt.trim() !== '',
  problemOf: (draft, models) =>
    models.some(needsImages) && imagesOf(draft).length === 0
      ? msg`One of the models needs the address of an image.`
      : undefined,
  build: ({ model, draft }) =>
    jsonRequest(
      '/v1/videos/generations',
      'videos.generations',
      given({
        model: model.id,
        duration: secondsOf(model, draft.seconds),
        resolution: resolutionOf(model, draft),
        aspect_ratio: draft.ratio,
        input: videoInput(model, { prompt: draft.prompt, images: takesImages(model) ? imagesOf(draft) : [] }),
      }),
    ),
  start: null,
  read: followTask,
  Form,
  Settings,
  Result: VideoResult,
};
