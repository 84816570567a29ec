/**
 * A language model of the AI SDK as the socket wants it: asked once, without tools, answered
 * within a time and a size, and every way in which that goes wrong is a value.
 */
import { describe } from '../domain/describe.ts'
import type { LanguageModel, ModelOutcome, ModelRequest } from '../ports/language-model.ts'
import { findModel } from './catalogue.ts'
import { callOf } from './language-model-call.ts'
import { failed, failureOf } from './language-model-failure.ts'
import {
  checkLanguageModelOptions,
  invalid,
  type LanguageModelOptions,
  type LanguageModelSettings,
} from './language-model-options.ts'
import { resolveModel } from './language-model-resolve.ts'
import type { AiSdkModel } from './language-model-shape.ts'
import { type Reading, readStream, readWhole } from './language-model-stream.ts'

/**
 * Any model of the AI SDK, or its name.
 *
 * @example
 * const summarizer = languageModel('openai/gpt-5-mini', {
 *   prices: { inputUsd: 0.25, cachedInputUsd: 0.025, outputUsd: 2 },
 * })
 */
export function languageModel(
  model: AiSdkModel | string,
  options: LanguageModelOptions = {},
): LanguageModel {
  checkModel(model)
  const settings = checkLanguageModelOptions(options)
  const id = settings.id ?? nameOf(model)
  const found = findModel(id)
  return Object.freeze({
    id,
    card: settings.card ?? (found.match === 'fallback' ? null : found.card),
    prices: settings.prices,
    generate: (request: ModelRequest, { signal }: { readonly signal: AbortSignal }) =>
      withinTime(settings.timeoutMs, signal, (stop) =>
        ask({ model, id, settings, request, signal: stop }),
      ),
  })
}

const versions: readonly unknown[] = ['v2', 'v3', 'v4']

function checkModel(model: AiSdkModel | string): void {
  if (typeof model === 'string') {
    if (model.trim() === '') throw invalid('the name of a model cannot be empty')
    return
  }
  if (typeof model !== 'object' || model === null || typeof model.modelId !== 'string')
    throw invalid(`a model is one of the AI SDK or a name, got ${describe(model)}`)
  if (!versions.includes(model.specificationVersion))
    throw invalid(
      `version ${describe(model.specificationVersion)} of the specification of models is not known; it takes v2, v3 and v4`,
    )
}

/** As the catalogue finds models: routers put the maker's name into the id themselves. */
function nameOf(model: AiSdkModel | string): string {
  if (typeof model === 'string') return model
  const { provider, modelId } = model
  return modelId.includes('/') ? modelId : `${String(provider).split('.')[0]}/${modelId}`
}

interface Asking {
  readonly model: AiSdkModel | string
  readonly id: string
  readonly settings: LanguageModelSettings
  readonly request: ModelRequest
  readonly signal: AbortSignal
}

async function ask({ model, id, settings, request, signal }: Asking): Promise<ModelOutcome> {
  try {
    const resolved =
      typeof model === 'string' ? await resolveModel(model, settings.provider) : model
    if ('kind' in resolved) return resolved
    const call = callOf(request, signal)
    const reading: Reading = {
      maxAnswerCharacters: settings.maxAnswerCharacters,
      nameOf: (modelId) => answeredBy(id, modelId),
      now: () => Date.now(),
    }
    if (settings.transfer === 'whole') return readWhole(await resolved.doGenerate(call), reading)
    const { stream } = await resolved.doStream(call)
    return await readStream(stream, reading)
  } catch (error) {
    return { kind: 'failed', failure: failureOf(error, Date.now()) }
  }
}

const longestModelId = 200

function answeredBy(id: string, modelId: unknown): string {
  if (typeof modelId !== 'string' || modelId === '' || modelId.length > longestModelId) return id
  return modelId.includes('/') ? modelId : `${id.split('/')[0]}/${modelId}`
}

/**
 * Whoever waits is answered in time, even by a provider that does not listen to signals; its
 * request is aborted in any case, and what it says later is not heard.
 */
async function withinTime(
  timeoutMs: number,
  signal: AbortSignal,
  run: (stop: AbortSignal) => Promise<ModelOutcome>,
): Promise<ModelOutcome> {
  if (signal.aborted) return failed('aborted', 'aborted before the model was asked')
  const stop = new AbortController()
  let undo = () => {}
  const ended = new Promise<ModelOutcome>((resolve) => {
    const timer = setTimeout(
      () => resolve(failed('timeout', `no answer within ${timeoutMs} ms`)),
      timeoutMs,
    )
    const abort = () => resolve(failed('aborted', 'aborted while the model was asked'))
    signal.addEventListener('abort', abort, { once: true })
    undo = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', abort)
    }
  })
  try {
    return await Promise.race([ended, run(stop.signal)])
  } finally {
    undo()
    stop.abort()
  }
}
