/**
 * What providers are sent: where a request extends the one before it, so does every form that it
 * is written in, block by block. Text in a list of one is the same as text alone, and marks for
 * the cache move on by their nature.
 */
import type { Context, ContextMessage } from 'throughline'
import { type Provider, providers } from './providers.ts'
import { type Violation, violation } from './violation.ts'
import { type Fields, fieldsIn, isFields } from './walk.ts'

export function checkWirePrefix(
  before: Context,
  now: Context,
  lasting: readonly ContextMessage[],
): readonly Violation[] {
  if (now.prefixOf !== before.fingerprint || waitsInside(lasting)) return []
  return providers.flatMap((provider) => {
    const first = wireBlocks(provider, { ...before, messages: lasting })
    const next = wireBlocks(provider, now)
    const at = first.findIndex((block, index) => block !== next[index])
    if (at === -1) return []
    const was = `was ${first[at]?.slice(0, 160)}, is ${next[at]?.slice(0, 160)}`
    return [violation('prefix', `${provider.format}: unbroken, and yet block ${at} ${was}`)]
  })
}

/** Calls inside blocks that we do not know are sent only once they are answered. */
function waitsInside(messages: readonly ContextMessage[]): boolean {
  const ids = messages.flatMap(({ parts }) =>
    parts.flatMap((part) =>
      part.type === 'opaque' ? (/"call_id":"[^"]*"/.exec(part.json) ?? []) : [],
    ),
  )
  return ids.some((id) => ids.filter((other) => other === id).length % 2 === 1)
}

/** In the order in which providers read a request: tools, system, messages. */
function wireBlocks(provider: Provider, context: Context): readonly string[] {
  const { tools, messages, contents, input, system, instructions, systemInstruction } =
    provider.write(context) as Fields
  const spoken = messages ?? contents ?? input
  const blocks = [
    ...[system ?? instructions ?? systemInstruction]
      .flat()
      .flatMap((said) => blocksOf('system', said)),
    ...[spoken].flat().flatMap((said) => blocksOf('user', said)),
  ]
  return [unmarked(tools ?? null), ...(blocks.at(-1) === nothing ? blocks.slice(0, -1) : blocks)]
}

/** A user's turn that says nothing, where the service wants one and there is none. */
const nothing = '["user","…"]'

function blocksOf(side: string, said: unknown): readonly string[] {
  if (said === undefined) return []
  if (!isFields(said)) return [unmarked([side, said])]
  const { role = side, content, parts, tool_calls, ...rest } = withoutMarks(said)
  const listed = [parts ?? content ?? []].flat()
  const blocks = [...listed, ...fieldsIn(tool_calls)].map((block) => unmarked([role, plain(block)]))
  const isBlock = listed.length === 0 || Object.keys(rest).length > 0
  return isBlock ? [unmarked([role, plain(rest)]), ...blocks] : blocks
}

/** Text with nothing on it. */
function plain(block: unknown): unknown {
  if (!isFields(block)) return block
  const { text, type: _, ...others } = withoutMarks(block)
  return typeof text === 'string' && Object.keys(others).length === 0 ? text : block
}

function unmarked(value: unknown): string {
  return JSON.stringify(value, (_, field: unknown) =>
    isFields(field) ? withoutMarks(field) : field,
  )
}

function withoutMarks({ cache_control: _, providerOptions, ...block }: Fields): Fields {
  const { anthropic, ...others } = isFields(providerOptions) ? providerOptions : {}
  const { cacheControl: __, ...own } = isFields(anthropic) ? anthropic : {}
  const options = Object.keys(own).length === 0 ? others : { ...others, anthropic: own }
  return Object.keys(options).length === 0 ? block : { ...block, providerOptions: options }
}
