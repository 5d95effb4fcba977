import { type Changes, changesBetween, type QwenImageSize } from '@gateway/contracts';
import type { ImageCall, Target, WireRequest } from '../protocol.js';
import { PATH } from './wire.js';

type Call = ImageCall<'dashscope-image'>;

const DEFAULT_SIZE: QwenImageSize = '1024*1024';

/** Public sizes that the upstream lacks, with its nearest size. */
const UPSTREAM_SIZES: Readonly<Partial<Record<QwenImageSize, string>>> = {
  '1472*1140': '1472*1104',
  '1140*1472': '1104*1472',
};

function parametersOf({ request, traits }: Call): { readonly size?: string; readonly [parameter: string]: unknown } {
  const { size = DEFAULT_SIZE, ...rest } = request.parameters ?? {};
  return traits.supportsSize ? { ...rest, size: UPSTREAM_SIZES[size] ?? size } : rest;
}

/** Sends the client's body with the upstream model and an explicit size: the vendor's default differs. */
export const buildRequest = (call: Call, target: Target): WireRequest => ({
  method: 'POST',
  url: `${target.baseUrl}${PATH}`,
  headers: {
    authorization: `Bearer ${target.credential}`,
    'content-type': 'application/json',
    accept: 'application/json',
  },
  body: JSON.stringify({ ...call.request, model: target.upstreamModel, parameters: parametersOf(call) }),
  changes: changesOf(call),
});

function changesOf(call: Call): Changes {
  const name = 'parameters.size';
  return changesBetween({ [name]: call.request.parameters?.size }, { [name]: parametersOf(call).size });
}
