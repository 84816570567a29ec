/** Handles whose methods that build contexts, compact, search and append run inside spans. */
import type { Context } from '../domain/context.ts'
import { ok } from '../domain/result.ts'
import { inputTokensOf, outputTokensOf } from '../domain/usage.ts'
import type { SpanAttributes, Tracing } from '../ports/tracing.ts'
import type { ConversationHandle } from './handle.ts'
import { internalsOf, withInternals } from './runtime.ts'
import type { TenantHandle } from './tenant-handle.ts'

/** The attributes of all spans of a conversation. */
export function spanAttributes(tenant: string, conversation: string): SpanAttributes {
  return { 'gen_ai.conversation.id': conversation, 'throughline.tenant': tenant }
}

export function tracedTenant(tl: TenantHandle, tenant: string, tracing: Tracing): TenantHandle {
  const traced = (chat: ConversationHandle) => tracedConversation(chat, tenant, tracing)
  return {
    ...tl,
    conversation: (id) => traced(tl.conversation(id)),
    begin: async (...args) => {
      const created = await tl.begin(...args)
      return created.ok ? ok(traced(created.value)) : created
    },
  }
}

function tracedConversation(
  chat: ConversationHandle,
  tenant: string,
  tracing: Tracing,
): ConversationHandle {
  const common = spanAttributes(tenant, chat.id)
  const inSpan = <Value>(
    name: string,
    attributes: SpanAttributes,
    work: () => Promise<Value>,
    resultOf: (value: Value) => SpanAttributes = () => ({}),
  ) => tracing.run(`throughline.${name}`, { ...common, ...attributes }, work, resultOf)
  const traced: ConversationHandle = {
    ...chat,
    append: (messages, options) =>
      inSpan(
        'append',
        usageAttributes(options?.usage),
        () => chat.append(messages, options),
        ({ entries }) => ({ 'throughline.messages': entries.length }),
      ),
    context: (input) =>
      inSpan('context', modelOf(input), () => chat.context(input), contextAttributes),
    preview: (input) => inSpan('preview', modelOf(input), () => chat.preview(input)),
    compact: (input) =>
      inSpan(
        'compact',
        modelOf(input),
        () => chat.compact(input),
        (result) =>
          result.ok
            ? {
                'gen_ai.conversation.compacted': true,
                'throughline.tokens.before': result.value.tokensBefore ?? undefined,
                'throughline.tokens.after': result.value.tokensAfter,
              }
            : { 'throughline.outcome': result.failure.kind },
      ),
    recall: (query, options) =>
      inSpan(
        'recall',
        {},
        () => chat.recall(query, options),
        ({ pieces }) => ({ 'throughline.pieces': pieces.length }),
      ),
    history: {
      ...chat.history,
      fork: async (...args) => {
        const fork = await chat.history.fork(...args)
        return fork.ok ? ok(tracedConversation(fork.value, tenant, tracing)) : fork
      },
    },
  }
  return withInternals(traced, () => internalsOf(chat, 'tracing'))
}

/** The input is checked later. */
function modelOf(input: { readonly model?: unknown } | null | undefined): SpanAttributes {
  const model = input?.model
  return { 'gen_ai.request.model': typeof model === 'string' ? model : undefined }
}

function usageAttributes(usage: unknown): SpanAttributes {
  if (typeof usage !== 'object' || usage === null) return {}
  return {
    'gen_ai.usage.input_tokens': inputTokensOf(usage) ?? undefined,
    'gen_ai.usage.output_tokens': outputTokensOf(usage) ?? undefined,
  }
}

function contextAttributes({ tokens, available, omitted, decision }: Context): SpanAttributes {
  const isCompacted = omitted.some(({ span }) => span !== null)
  return {
    // By the conventions, only if it is true.
    'gen_ai.conversation.compacted': isCompacted || undefined,
    'throughline.tokens': tokens,
    'throughline.tokens.available': available,
    'throughline.decision': decision.kind,
    'throughline.decision.reason': decision.reason,
  }
}
