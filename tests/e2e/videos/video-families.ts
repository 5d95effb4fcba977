/** A request of each model in its family's format, and the unit that it is billed in. */
export interface FamilyRequest {
  readonly model: string;
  readonly duration: number;
  readonly resolution: string;
  readonly input: object;
  readonly parameters?: object;
  /** The unit of its price. */
  readonly unit: string;
  readonly more?: object;
}

const IMAGE = 'https://cdn.example.com/1.png';
const CLIP = 'https://cdn.example.com/1.mp4';

const text = (prompt: string) => ({ prompt });
const frame = (prompt: string) => ({ prompt, media: [{ type: 'first_frame', url: IMAGE }] });
const references = (prompt: string) => ({
  prompt,
  media: [
    { type: 'reference_image', url: IMAGE },
    { type: 'reference_image', url: 'https://cdn.example.com/2.png' },
  ],
});
const content = (prompt: string, ...more: object[]) => ({ content: [{ type: 'text', text: prompt }, ...more] });

/** A request for each family. Durations, sizes and kinds vary, so that no two requests are alike. */
export const familyRequests = (prompt: string): readonly FamilyRequest[] => [
  { model: 'wn2.5-t2v-preview', duration: 5, resolution: '480p', unit: 'second_480p', input: text(prompt) },
  {
    model: 'wn2.5-i2v-preview',
    duration: 10,
    resolution: '480p',
    unit: 'second_480p',
    input: { prompt, img_url: IMAGE },
  },
  {
    model: 'wn2.6-t2v',
    duration: 10,
    resolution: '720p',
    unit: 'second_720p',
    input: text(prompt),
    parameters: { size: '1280*720', duration: 10, shot_type: 'multi', prompt_extend: true },
  },
  { model: 'wn2.6-i2v', duration: 2, resolution: '1080p', unit: 'second_1080p', input: { prompt, img_url: IMAGE } },
  {
    model: 'wn2.6-i2v-flash',
    duration: 5,
    resolution: '720p',
    unit: 'second_720p_silent',
    input: { prompt, img_url: IMAGE },
    parameters: { audio: false },
  },
  {
    model: 'wn2.6-r2v',
    duration: 5,
    resolution: '720p',
    unit: 'second_720p',
    input: { prompt, reference_urls: [CLIP, IMAGE] },
  },
  {
    model: 'wn2.6-r2v-flash',
    duration: 3,
    resolution: '1080p',
    unit: 'second_1080p',
    input: { prompt, reference_urls: [IMAGE] },
    parameters: { audio: true },
  },
  {
    model: 'wn2.7-t2v',
    duration: 5,
    resolution: '720P',
    unit: 'second_720p',
    input: text(prompt),
    parameters: { resolution: '720P', duration: 5, ratio: '16:9', prompt_extend: true, watermark: false },
  },
  { model: 'wan2.7-t2v-2026-04-25', duration: 4, resolution: '1080p', unit: 'second_1080p', input: text(prompt) },
  { model: 'wn2.7-i2v', duration: 10, resolution: '720p', unit: 'second_720p', input: frame(prompt) },
  { model: 'wn2.7-i2v-2026-04-25', duration: 3, resolution: '1080p', unit: 'second_1080p', input: frame(prompt) },
  { model: 'wn2.7-r2v', duration: 6, resolution: '720p', unit: 'second_720p', input: references(prompt) },
  { model: 'wn3.0-video', duration: 20, resolution: '720p', unit: 'second_720p', input: references(prompt) },
  { model: 'wn3.0-video-prime', duration: 7, resolution: '480p', unit: 'second_480p', input: frame(prompt) },
  { model: 'happyhorse-1.0-t2v', duration: 3, resolution: '1080p', unit: 'second_1080p', input: text(prompt) },
  { model: 'happyhorse-1.0-i2v', duration: 4, resolution: '720p', unit: 'second_720p', input: frame(prompt) },
  { model: 'happyhorse-1.0-r2v', duration: 5, resolution: '720p', unit: 'second_720p', input: references(prompt) },
  { model: 'happyhorse-1.1-t2v', duration: 6, resolution: '720p', unit: 'second_720p', input: text(prompt) },
  { model: 'happyhorse-1.1-i2v', duration: 15, resolution: '1080p', unit: 'second_1080p', input: frame(prompt) },
  {
    model: 'happyhorse-1.1-r2v',
    duration: 8,
    resolution: '1080p',
    unit: 'second_1080p',
    input: references(prompt),
    more: { aspect_ratio: '9:16' },
  },
  {
    model: 'seedance-1.0-pro',
    duration: 5,
    resolution: '720p',
    unit: 'second_720p',
    input: content(`${prompt} --rs 720p --rt 16:9 --dur 5 --seed 11`),
  },
  {
    model: 'seedance-1.0-pro-fast',
    duration: 4,
    resolution: '480p',
    unit: 'second_480p_flex',
    input: content(prompt),
    parameters: { service_tier: 'flex' },
  },
  {
    model: 'seedance-1.5-pro',
    duration: 6,
    resolution: '720p',
    unit: 'second_720p_silent',
    input: content(prompt),
    parameters: { generate_audio: false, return_last_frame: true },
  },
  {
    model: 'seedance-2.0',
    duration: 5,
    resolution: '1080p',
    unit: 'second_1080p',
    input: content(prompt),
    parameters: { seed: 20 },
  },
  { model: 'seedance-2.0-fast', duration: 4, resolution: '720p', unit: 'second_720p', input: content(prompt) },
  { model: 'seedance-2.5', duration: 12, resolution: '480p', unit: 'second_480p', input: content(prompt) },
  { model: 'grok-imagine-video', duration: 5, resolution: '480p', unit: 'second_480p', input: text(prompt) },
  {
    model: 'grok-imagine-video-1.5',
    duration: 6,
    resolution: '1080p',
    unit: 'second_1080p',
    input: { prompt, image: { url: IMAGE } },
  },
];
