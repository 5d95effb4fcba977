import { msg } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import { TextArea } from '../../../parts/field.jsx';
import { given, jsonRequest } from '../bench/api-request.js';
import type { FormProps, Kind } from '../bench/kind.js';
import { readJson } from '../bench/read-json.js';
import { imagesOf, type MadeImage } from './image-answer.js';
import { chosenFields, FIRST_CHOICES, type ImageChoices, ImageSettings } from './image-settings.jsx';
import { Images } from './images.jsx';

interface ImagesDraft extends ImageChoices {
  readonly prompt: string;
}

const Form = ({ draft, change }: FormProps<ImagesDraft>) => {
  const { t } = useLingui();
  return <TextArea label={t`What it shows`} value={draft.prompt} onValue={(prompt) => change({ prompt })} />;
};

const Settings = ({ draft, change, models }: FormProps<ImagesDraft>) => (
  <ImageSettings
    choices={draft}
    change={change}
    offers={models.flatMap(({ capabilities: { images } }) => (images === undefined ? [] : [images]))}
  />
);

/** Images from text, by OpenAI's body, which every image model takes. */
export const IMAGES: Kind<ImagesDraft, readonly MadeImage[]> = {
  isConversation: false,
  first: { prompt: '', ...FIRST_CHOICES },
  examples: [
    msg`A lighthouse at dusk, seen from a small boat, in watercolour`,
    msg`A product photo of a green teapot on grey stone, soft light from the left`,
  ].map((label) => ({ label, fill: (prompt) => ({ prompt }) })),
  isReady: ({ prompt }) => prompt.trim() !== '',
  problemOf: (_, models) =>
    models.some(({ capabilities: { images } }) => images?.from_text === false)
      ? msg`One of the models only edits images. Choose “Edit images” above.`
      : undefined,
  build: ({ model, draft }) =>
    jsonRequest(
      '/v1/images/generations',
      'images.generations',
      given({
        model: model.id,
        prompt: draft.prompt,
        ...chosenFields(draft, model.capabilities.images),
        // Only bytes can be shown: the page loads nothing from a vendor.
        response_format: 'b64_json',
      }),
    ),
  start: [],
  read: readJson(imagesOf),
  Form,
  Settings,
  Result: Images,
};
