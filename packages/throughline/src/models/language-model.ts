/**
 * A language model of the AI SDK as our port: one call, no tool run, bounded in time and size, and every
 * failure is a value.
 */
import type { Deliverable } from '../domain/context.ts'
import { describe } from '../domain/text.ts'
import { isNotInstalled } from '../errors.ts'
import type {
  GenerateOptions,
  LanguageModel,
  ModelOutcome,
  ModelRequest,
} from '../ports/language-model.ts'
import { findModel } from './catalogue.ts'
import { failed, failureOf } from './language-model-failure.ts'
import {
  type AiSdkCall,
  type AiSdkModel,
  type AiSdkPromptMessage,
  type AiSdkProvider,
  type ConversationCall,
  checkLanguageModelOptions,
  invalid,
  type LanguageModelOptions,
  type LanguageModelSettings,
} from './language-model-options.ts'
import { type ReadOptions, readStream, readWhole } from './language-model-stream.ts'

/**
 * A model that writes summaries: any model of the AI SDK, or its name.
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
  const { continues } = settings
  return Object.freeze({
    id,
    card: settings.card ?? (found.match === 'fallback' ? null : found.card),
    prices: settings.prices,
    ...(continues !== null && {
      canContinue: (context: Deliverable) =>
        isConversationModel(model) && canWrite(() => continues(context, providerOf(id))),
    }),
    generate: (request: ModelRequest, { signal, onText }: GenerateOptions) =>
      withinTime(settings.timeoutMs, signal, (stop) =>
        ask(model, { ...settings, id, onText }, request, stop),
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
    throw invalid(
      `the first argument must be a model of the AI SDK or its name, got ${describe(model)}`,
    )
  if (!versions.includes(model.specificationVersion))
    throw invalid(
      `unknown specification version ${describe(model.specificationVersion)}; use a model of v2, v3 or v4`,
    )
}

/** Calls of conversations are written in version 4; a name resolves to a model of that version. */
function isConversationModel(model: AiSdkModel | string): boolean {
  return typeof model === 'string' || model.specificationVersion === 'v4'
}

/** The caller's function may throw: then the summary does not continue the conversation. */
function canWrite(write: () => ConversationCall | null): boolean {
  try {
    return write() !== null
  } catch {
    return false
  }
}

function providerOf(id: string): string {
  return id.split('/')[0] ?? id
}

/** As in the catalogue: ids of routers already include the maker's name. */
function nameOf(model: AiSdkModel | string): string {
  if (typeof model === 'string') return model
  const { provider, modelId } = model
  return modelId.includes('/') ? modelId : `${String(provider).split('.')[0]}/${modelId}`
}

async function ask(
  model: AiSdkModel | string,
  settings: LanguageModelSettings & Pick<GenerateOptions, 'onText'> & { readonly id: string },
  request: ModelRequest,
  signal: AbortSignal,
): Promise<ModelOutcome> {
  const { id } = settings
  try {
    const resolved =
      typeof model === 'string' ? await resolveModel(model, settings.provider) : model
    if ('kind' in resolved) return resolved
    const { continues: context } = request
    const conversation = context && settings.continues?.(context, providerOf(id))
    if (context && !(conversation && isConversationModel(resolved)))
      return failed('invalid', 'the model cannot continue the conversation for a summary')
    const summaryCall = callOf(request, signal)
    const call = conversation ? continueConversation(conversation, summaryCall) : summaryCall
    const readOptions: ReadOptions = {
      maxAnswerCharacters: settings.maxAnswerCharacters,
      nameOf: (modelId) => reportedName(id, modelId),
      now: () => Date.now(),
      onText: settings.onText,
    }
    if (settings.transfer === 'whole')
      return readWhole(await resolved.doGenerate(call), readOptions)
    const { stream } = await resolved.doStream(call)
    return await readStream(stream, readOptions)
  } catch (error) {
    return { kind: 'failed', failure: failureOf(error, Date.now()) }
  }
}

const maxModelIdLength = 200

function reportedName(id: string, modelId: unknown): string {
  if (typeof modelId !== 'string' || modelId === '' || modelId.length > maxModelIdLength) return id
  return modelId.includes('/') ? modelId : `${providerOf(id)}/${modelId}`
}

/**
 * The caller is answered in time even if the provider ignores signals; its request is aborted in any
 * case, and a late answer is ignored.
 */
async function withinTime(
  timeoutMs: number,
  signal: AbortSignal,
  run: (stop: AbortSignal) => Promise<ModelOutcome>,
): Promise<ModelOutcome> {
  if (signal.aborted) return failed('aborted', 'aborted before the model was asked')
  const stop = new AbortController()
  const { promise: ended, resolve } = Promise.withResolvers<ModelOutcome>()
  const late = failed('timeout', `no answer within ${timeoutMs} ms`)
  const timer = setTimeout(() => resolve(late), timeoutMs)
  const abort = () => resolve(failed('aborted', 'aborted while the model was asked'))
  signal.addEventListener('abort', abort, { signal: stop.signal })
  try {
    return await Promise.race([ended, run(stop.signal)])
  } finally {
    clearTimeout(timer)
    stop.abort()
  }
}

/** Tools are passed only where they are part of the conversation's own call; they are never run. */
function callOf(request: ModelRequest, signal: AbortSignal): AiSdkCall {
  const { system, messages, maxOutputTokens, temperature, schema } = request
  const prompt = messages.map(({ role, content: text }): AiSdkPromptMessage => {
    return { role, content: [{ type: 'text', text }] }
  })
  return {
    prompt: system === null ? prompt : [{ role: 'system', content: system }, ...prompt],
    maxOutputTokens,
    temperature,
    responseFormat: schema === null ? { type: 'text' } : { type: 'json', schema, name: 'summary' },
    abortSignal: signal,
  }
}

/** The conversation's call comes first, byte for byte, and our question after it. */
function continueConversation(conversation: ConversationCall, call: AiSdkCall): AiSdkCall {
  const { prompt, ...options } = conversation
  // The conversation's call is in the SDK's own form, which our type does not describe.
  const before = prompt as unknown as AiSdkPromptMessage[]
  return { ...options, ...call, prompt: [...before, ...call.prompt] }
}

/**
 * Resolves a name as the AI SDK does: by the host's global provider, else by the gateway, for which the
 * package `ai` is loaded. An unknown name throws as the provider does.
 */
async function resolveModel(name: string, provider: AiSdkProvider | null) {
  const resolver = provider ?? globalProvider() ?? (await importGateway())
  return resolver === null ? notInstalled : resolver.languageModel(name)
}

const notInstalled = failed(
  'refused',
  'a model by name needs the AI SDK: npm install ai, or pass a model object',
)

function globalProvider(): AiSdkProvider | null {
  const provider = Reflect.get(globalThis, 'AI_SDK_DEFAULT_PROVIDER') as AiSdkProvider | undefined
  return typeof provider?.languageModel === 'function' ? provider : null
}

async function importGateway(): Promise<AiSdkProvider | null> {
  try {
    const { gateway } = await import('ai')
    // Its models take and return more than ours; what we use is the same.
    return gateway as unknown as AiSdkProvider
  } catch (cause) {
    if (isNotInstalled(cause)) return null
    throw cause
  }
}
