/** A middleware for `wrapLanguageModel`: records every call in the log, and fits its prompt into the window. */

import { createFinder, type Finder } from '../calls/find-conversation.ts'
import { type CallOptions, checkCallOptions, type Settings } from '../calls/options.ts'
import { openRequest, type RecordedRequest } from '../calls/recorded-request.ts'
import { generate, stream } from './answer.ts'
import type { CallableModel, CallParams, GenerateResult, NamedModel, StreamResult } from './call.ts'
import { conversationOfCall, modelNameOf, ownOptionsOf } from './options.ts'
import {
  readMessages,
  readSystem,
  restoreApprovalFlag,
  splitAtStamp,
  splitPrompt,
  toolSchemasOf,
} from './read-prompt.ts'
import { withContext } from './write-prompt.ts'

/** A call of a wrapped model, as passed to a function that names its conversation. */
interface MiddlewareCall {
  readonly params: CallParams
  readonly model: NamedModel
}

/** Fits `LanguageModelV4Middleware`. */
export interface ThroughlineMiddleware {
  readonly specificationVersion: 'v4'
  readonly transformParams: <Params extends CallParams>(options: {
    readonly params: Params
    readonly model: NamedModel
  }) => Promise<Params>
  readonly wrapGenerate: <Params extends CallParams, Result extends GenerateResult>(options: {
    readonly doGenerate: () => PromiseLike<Result>
    readonly params: Params
    readonly model: Pick<CallableModel<Params, Result, never>, 'doGenerate' | keyof NamedModel>
  }) => Promise<Result>
  readonly wrapStream: <Params extends CallParams, Result extends StreamResult>(options: {
    readonly doStream: () => PromiseLike<Result>
    readonly params: Params
    readonly model: Pick<CallableModel<Params, never, Result>, 'doStream' | keyof NamedModel>
  }) => Promise<Result>
}

/**
 * Records the calls of a model in a conversation, and keeps their prompts inside its window. A call may name its
 * conversation itself, which takes precedence: `providerOptions: { throughline: { conversation: 'invoice-7' } }`.
 *
 * @example
 * const middleware = throughlineMiddleware({ engine: tl, conversation: 'invoice-7' })
 * // wrapLanguageModel({ model: openai('gpt-5-mini'), middleware })
 */
export function throughlineMiddleware(options: CallOptions<MiddlewareCall>): ThroughlineMiddleware {
  const settings = checkCallOptions(options, 'throughlineMiddleware')
  const finder = createFinder(settings)
  // The SDK passes the object that `transformParams` returned to the wrapping functions.
  const requests = new WeakMap<object, RecordedRequest>()
  return {
    specificationVersion: 'v4',
    transformParams: async (call) => {
      // `throughlineStep` made this prompt, and appends the reply.
      if (ownOptionsOf(call.params).kept === true) return call.params
      const recorded = await requestFor(settings, finder, call)
      const params = withContext(call.params, recorded.context, call.model)
      requests.set(params, recorded)
      return params
    },
    wrapGenerate: async ({ doGenerate, params, model }) => {
      const recorded = requests.get(params)
      if (recorded === undefined) return doGenerate()
      return generate(recorded, (smaller) =>
        smaller === null
          ? doGenerate()
          : model.doGenerate(withContext(params, smaller.context, model)),
      )
    },
    wrapStream: async ({ doStream, params, model }) => {
      const recorded = requests.get(params)
      if (recorded === undefined) return doStream()
      return stream(recorded, (smaller) =>
        smaller === null ? doStream() : model.doStream(withContext(params, smaller.context, model)),
      )
    },
  }
}

async function requestFor(
  settings: Settings<MiddlewareCall>,
  finder: Finder,
  { params, model }: MiddlewareCall,
): Promise<RecordedRequest> {
  const { system, messages } = splitPrompt(params.prompt)
  const namedByCall = ownOptionsOf(params).conversation
  const conversation = await conversationOfCall(settings, { params, model }, namedByCall)
  const { stamp, messages: afterStamp } = splitAtStamp(messages, conversation)
  return openRequest(finder, {
    conversation,
    stamp,
    model: modelNameOf(settings, model),
    system: readSystem(system),
    tools: toolSchemasOf(params),
    replyTokens: params.maxOutputTokens,
    messages: readMessages(afterStamp.map(restoreApprovalFlag)),
  })
}
