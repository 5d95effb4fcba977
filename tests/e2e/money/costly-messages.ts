/** The messages of a chat with one message of the user. */
export const user = (text: string, ...parts: readonly object[]) => [
  { role: 'user', content: parts.length === 0 ? text : [{ type: 'text', text }, ...parts] },
];

export const VIDEO = { type: 'video_url', video_url: { url: 'https://example.com/long.mp4' } };
export const IMAGE = { type: 'image_url', image_url: { url: 'https://example.com/a.png' } };
/** No PDF that the gateway can read, so it may have any length. */
export const FILE = {
  type: 'file',
  file: { filename: 'a.pdf', file_data: `data:application/pdf;base64,${'A'.repeat(400)}` },
};
