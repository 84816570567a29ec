/**
 * A processor for the input and the output of a Mastra agent. Its prompts are those of the AI SDK, so this is the
 * middleware in another place: nothing of it is written into Mastra's own messages.
 */
import { fieldsOf, isJson, parsedJson } from '../adapters/unknown-json.ts'
import type { NamedModel, PromptMessage, ReplyPart } from '../ai-sdk/call.ts'
import { readMessages, readSystem, splitPrompt } from '../ai-sdk/read-prompt.ts'
import { collectReply, replyMessages } from '../ai-sdk/reply.ts'
import { writePrompt } from '../ai-sdk/write-prompt.ts'
import { createFinder, keepNewest } from '../calls/find-conversation.ts'
import { type CallOptions, checkCallOptions, conversationOf } from '../calls/options.ts'
import { appendReply, openRequest, type RecordedRequest } from '../calls/recorded-request.ts'
import type { ToolSchema } from '../domain/context.ts'

/** The fields that we read of what Mastra passes before a model call. */
interface MastraCall {
  readonly prompt: readonly unknown[]
  readonly model: unknown
  readonly state: Record<string, unknown>
  readonly requestContext?: { get(key: never): unknown } | undefined
}

/** The fields that we read of what Mastra passes after a model call. */
interface MastraAnswer {
  readonly chunks: readonly { readonly type: string; readonly payload: unknown }[]
  readonly state: Record<string, unknown>
  readonly request?: unknown
  readonly fromCache?: boolean | undefined
}

/** Fits `Processor`. */
export interface MastraProcessor {
  readonly id: 'throughline'
  processLLMRequest<Call extends MastraCall>(call: Call): Promise<{ prompt: Call['prompt'] }>
  processLLMResponse(answer: MastraAnswer): Promise<void>
  /** Asks for a smaller request where the provider refused one as too long. */
  processAPIError(
    refusal: Pick<MastraCall, 'state'> & { readonly error: unknown },
  ): Promise<{ retry: boolean } | undefined>
}

const maxConversations = 1_000
const stateKey = 'throughline'

/**
 * Records the model calls of an agent in a conversation, and keeps their prompts inside the model's window.
 * By default the conversation is the thread of the agent's memory.
 *
 * @example
 * const processor = throughlineProcessor({ engine: tl })
 * // new Agent({ …, inputProcessors: [processor] })
 */
export function throughlineProcessor(options: CallOptions<MastraCall>): MastraProcessor {
  const settings = checkCallOptions(options, 'throughlineProcessor')
  const finder = createFinder(settings)
  // Mastra does not pass the tools to a processor; those of a conversation's last call are counted with the next.
  const seenTools = new Map<string, readonly ToolSchema[]>()
  return {
    id: 'throughline',
    processLLMRequest: async (call) => {
      // Mastra's prompts are those of the AI SDK.
      const prompt = call.prompt as readonly PromptMessage[]
      const { provider, modelId } = call.model as NamedModel
      const conversation = await conversationOf(
        settings,
        call,
        settings.conversation === undefined ? threadOf(call) : undefined,
        ', or call the agent with memory: { thread: "…", resource: "…" }',
      )
      const { system, messages } = splitPrompt(prompt)
      const recorded = await openRequest(finder, {
        conversation,
        stamp: null,
        model: settings.model ?? modelName(provider, modelId),
        system: readSystem(system),
        tools: seenTools.get(conversation) ?? [],
        replyTokens: undefined,
        messages: readMessages(messages),
      })
      call.state[stateKey] = { recorded, conversation } satisfies OpenCall
      const maker = provider.split('.')[0] ?? provider
      return { prompt: writePrompt(recorded.context, maker) as typeof call.prompt }
    },
    processLLMResponse: async ({ chunks, state, request, fromCache }) => {
      const open = state[stateKey] as OpenCall | undefined
      delete state[stateKey]
      if (open === undefined || fromCache === true) return
      keepNewest(seenTools, open.conversation, toolsOf(request), maxConversations)
      const reply = collectReply()
      for (const chunk of chunks) reply.take(replyPart(chunk))
      const { content, usage } = reply.reply()
      await appendReply(open.recorded, replyMessages(content, 'complete'), usage)
    },
    processAPIError: async ({ state, error }) => {
      const { recorded } = (state[stateKey] as OpenCall | undefined) ?? {}
      if (recorded === undefined) return undefined
      const { chat, context } = recorded
      // The next request is then smaller, once.
      const outcome = await chat.overflowed(context.fingerprint, error)
      return outcome === 'smaller' ? { retry: true } : undefined
    },
  }
}

interface OpenCall {
  readonly recorded: RecordedRequest
  readonly conversation: string
}

/** The memory of a call, where Mastra puts it. */
function threadOf({ requestContext }: MastraCall): unknown {
  const memory = fieldsOf(requestContext?.get('MastraMemory' as never))
  return fieldsOf(memory?.['thread'])?.['id']
}

/** Ids of routers already include the maker's name. */
function modelName(provider: string, modelId: string): string {
  return modelId.includes('/') ? modelId : `${provider.split('.')[0]}/${modelId}`
}

/** A chunk of Mastra as a part of the AI SDK's stream. */
function replyPart({ type, payload }: MastraAnswer['chunks'][number]): ReplyPart {
  const { text, args, output, ...fields } = fieldsOf(payload) ?? {}
  if (type === 'tool-call') return { ...fields, type, input: args } as ReplyPart
  if (type === 'finish') return { type, usage: fieldsOf(output)?.['usage'] ?? {} } as ReplyPart
  return { ...fields, type, delta: text } as ReplyPart
}

/** The tools of a provider's request, whatever its form, as one schema. */
function toolsOf(request: unknown): readonly ToolSchema[] {
  const { body = request } = fieldsOf(request) ?? {}
  const tools = fieldsOf(typeof body === 'string' ? parsedJson(body) : body)?.['tools']
  return tools !== undefined && isJson(tools) ? [{ name: 'tools', parameters: { tools } }] : []
}
