/**
 * A session of the OpenAI Agents SDK on the log, and its `callModelInputFilter`. The runner saves a run when it
 * has ended; the filter appends its items before each call of the model, and the session then recognizes them.
 */
import type {
  AgentInputItem,
  CallModelInputFilter,
  SessionHistoryRewriteAwareSession,
  SessionHistoryTransactionAwareSession,
} from '@openai/agents'
import { createFinder } from '../calls/find-conversation.ts'
import { type CallOptions, checkCallOptions, conversationOf } from '../calls/options.ts'
import { readMessages } from '../calls/read-messages.ts'
import { openRequest } from '../calls/recorded-request.ts'
import type { ToolSchema } from '../domain/context.ts'
import { invalidOption } from '../flow/check/check-options.ts'
import { agentItemOf, readAgentItem, writeAgentItems } from './agent-items.ts'
import { createSessionLog } from './session-log.ts'

/** The options of `throughlineSession`. */
interface AgentSessionOptions extends Pick<CallOptions<never>, 'engine' | 'model'> {
  /** The id of the session and of its conversation. */
  readonly conversation: string
}

/** A session of the OpenAI Agents SDK, with all optional abilities that concern its history. */
export interface AgentSession
  extends SessionHistoryTransactionAwareSession,
    SessionHistoryRewriteAwareSession {
  replaceHistoryWithCompaction(items: AgentInputItem[]): Promise<void>
  /** For the option of the same name of `run`: keeps the input of each call inside the model's window. */
  readonly callModelInputFilter: CallModelInputFilter
}

/**
 * A session whose history is a conversation, and a filter that keeps the model's input inside its window.
 *
 * @example
 * // const session = throughlineSession({ engine: tl, conversation: 'invoice-7', model: 'gpt-5-mini' })
 * // await run(agent, 'Which invoices are open?', { session, callModelInputFilter: session.callModelInputFilter })
 */
export function throughlineSession(options: AgentSessionOptions): AgentSession {
  const settings = checkCallOptions<never>(options, 'throughlineSession')
  const { engine, conversation, model } = settings
  if (typeof conversation !== 'string' || conversation === '')
    throw invalidOption('throughlineSession: conversation must be the id of a conversation')
  const finder = createFinder(settings)
  const log = createSessionLog(engine.conversation(conversation))
  const itemsOf = async () => (await log.load()).map(({ message }) => agentItemOf(message))

  const callModelInputFilter: CallModelInputFilter = async ({ modelData, agent }) => {
    const { input, instructions } = modelData
    const system = instructions === undefined ? [] : [textPart(instructions)]
    const tools = agent.tools.flatMap(toolSchemaOf)
    const messages = input.map(readAgentItem)
    const { context, chat, head } = await openRequest(finder, {
      conversation: await conversationOf(settings, undefined as never, undefined, ''),
      stamp: null,
      model: model ?? modelNameOf(agent.model),
      system,
      tools,
      replyTokens: agent.modelSettings.maxTokens,
      messages: readMessages({ system, tools, messages }),
    })
    if (chat.id === conversation) log.filtered(head)
    const text = context.system.map((part) => part.text).join('\n\n')
    return {
      // The items are those of the SDK, or have their form.
      input: writeAgentItems(context) as AgentInputItem[],
      ...(text === '' ? {} : { instructions: text }),
    }
  }

  return {
    callModelInputFilter,
    getSessionId: async () => conversation,
    getItems: async (limit) => {
      const items = (await itemsOf()) as AgentInputItem[]
      return limit === undefined ? items : items.slice(items.length - Math.min(limit, items.length))
    },
    addItems: async (items) => log.append(items.map(readAgentItem), null),
    popItem: async () => {
      const last = await log.pop()
      return last === null ? undefined : (agentItemOf(last) as AgentInputItem)
    },
    clearSession: () => log.clear(),
    applyHistoryTransaction: async ({ operationId, transaction }) => {
      if (typeof operationId !== 'string' || operationId.trim() === '')
        throw invalidOption('throughlineSession: operationId must be a text that is not empty')
      const operation = { id: operationId, transaction: JSON.stringify(transaction) }
      switch (transaction.type) {
        case 'append_items':
          return log.append(transaction.items.map(readAgentItem), operation)
        case 'replace_suffix':
          return log.replaceSuffix(
            transaction.expectedSuffix.map(readAgentItem),
            transaction.replacement.map(readAgentItem),
            operation,
          )
        default:
          throw invalidOption('throughlineSession: unknown type of transaction')
      }
    },
    applyHistoryMutations: async ({ mutations }) => {
      for (const { callId, replacement } of mutations)
        await log.replaceCall(callId, readAgentItem(replacement))
    },
    replaceHistoryWithCompaction: async (items) => log.compacted(items.map(readAgentItem)),
  }
}

function textPart(text: string) {
  return { type: 'text', text, metadata: null } as const
}

function modelNameOf(model: unknown): string {
  if (typeof model === 'string' && model !== '') return model
  throw invalidOption(
    'throughlineSession: set the option "model": the agent does not name its model as text',
  )
}

/** Only functions have a schema that is counted. */
function toolSchemaOf(tool: object): readonly ToolSchema[] {
  const { type, name, description, parameters } = tool as Record<string, unknown>
  if (type !== 'function' || typeof name !== 'string') return []
  const described = typeof description === 'string' ? { description } : {}
  const schema = parameters as ToolSchema['parameters']
  return [{ name, ...described, ...(schema === undefined ? {} : { parameters: schema }) }]
}
