/**
 * A `prepareStep` of the AI SDK: returns messages that fit, and a model that records its reply.
 *
 * The SDK passes the messages of a step to the next one, so ours carry a stamp, and the history is built from
 * the SDK's other fields. Tool schemas are known only when the model is called, so the next step counts them.
 */

import type { AiSdkRequest } from '../adapters/ai-sdk/request.ts'
import { aiSdk } from '../adapters/ai-sdk.ts'
import { createFinder, keepNewest } from '../calls/find-conversation.ts'
import { type CallOptions, checkCallOptions } from '../calls/options.ts'
import { openRequest } from '../calls/recorded-request.ts'
import type { ToolSchema } from '../domain/context.ts'
import { invalidOption } from '../flow/check/check-options.ts'
import { recordingModel } from './answer.ts'
import type { CallableModel, PromptMessage } from './call.ts'
import { conversationOfCall, modelNameOf } from './options.ts'
import { readMessages, splitAtStamp, stamped } from './read-prompt.ts'

/** The fields that we read of the options that the SDK passes to `prepareStep`. */
export interface StepOptions {
  readonly model: unknown
  readonly messages: readonly PromptMessage[]
  readonly initialMessages?: readonly PromptMessage[] | undefined
  readonly responseMessages?: readonly PromptMessage[] | undefined
  readonly instructions?: unknown
  readonly initialInstructions?: unknown
  readonly steps?: readonly StepLike[] | undefined
  readonly experimental_steeringMessages?: readonly PromptMessage[] | undefined
  /** The caller's `runtimeContext` of `generateText`. */
  readonly runtimeContext?: unknown
}

interface StepLike {
  readonly response: { readonly messages: readonly PromptMessage[] }
  readonly experimental_steeringMessages?: readonly PromptMessage[] | undefined
}

/** What `prepareStep` returns. */
interface PreparedStep<Model> extends Pick<AiSdkRequest, 'instructions' | 'messages'> {
  readonly model: Model
}

const maxConversations = 1_000

/**
 * Records the steps of a loop in a conversation, and keeps their messages inside the model's window.
 *
 * @example
 * const prepareStep = throughlineStep({ engine: tl, conversation: 'invoice-7' })
 * // generateText({ model, tools, messages, prepareStep })
 */
export function throughlineStep(
  options: CallOptions<StepOptions>,
): <Step extends StepOptions>(step: Step) => Promise<PreparedStep<Step['model']>> {
  const settings = checkCallOptions(options, 'throughlineStep')
  const finder = createFinder(settings)
  // The tool schemas of each conversation's last call; the next step counts them.
  const seenTools = new Map<string, readonly ToolSchema[]>()
  return async (step) => {
    const { model } = step
    if (!isCallable(model))
      throw invalidOption('throughlineStep needs version 7 of the AI SDK: prepareStep got no model')
    const conversation = await conversationOfCall(settings, step, undefined)
    const { stamp: lastStamp, messages } = splitAtStamp(historyOf(step), conversation)
    const read = aiSdk.read({
      // Instructions are text or system messages; `read` checks them.
      instructions: (step.initialInstructions ?? step.instructions) as string,
      messages: [],
    })
    const recorded = await openRequest(finder, {
      conversation,
      stamp: lastStamp,
      model: modelNameOf(settings, model),
      system: read.system,
      tools: seenTools.get(conversation) ?? [],
      replyTokens: undefined,
      messages: readMessages(messages),
    })
    const { instructions, system, messages: fitting } = aiSdk.write(recorded.context)
    const written = instructions ?? system
    const stamp = { conversation: recorded.chat.id, head: recorded.head }
    const wrapped = recordingModel(model, recorded, (tools) =>
      keepNewest(seenTools, conversation, tools, maxConversations),
    )
    return {
      ...(written === undefined ? {} : { instructions: written }),
      messages: fitting.map((message) => stamped(message, stamp)),
      // A proxy of the given model has the same type.
      model: wrapped as (typeof step)['model'],
    }
  }
}

function historyOf(step: StepOptions): readonly PromptMessage[] {
  const { initialMessages, responseMessages, steps = [], messages } = step
  if (initialMessages === undefined || responseMessages === undefined) return messages
  const ofSteps = steps.reduce((count, { response }) => count + response.messages.length, 0)
  return [
    ...initialMessages,
    // Results of calls that were approved before the first step.
    ...responseMessages.slice(0, responseMessages.length - ofSteps),
    ...steps.flatMap(({ experimental_steeringMessages: steering = [], response }) => [
      ...steering,
      ...response.messages,
    ]),
    ...(step.experimental_steeringMessages ?? []),
  ]
}

function isCallable(model: unknown): model is CallableModel {
  const { doGenerate, doStream } = (model ?? {}) as Partial<CallableModel>
  return typeof doGenerate === 'function' && typeof doStream === 'function'
}
