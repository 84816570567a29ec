/**
 * Writes a context as a prompt of the AI SDK. Messages are not merged, because the SDK does that. Parts move
 * to the message that the SDK requires: results to a tool message, text and files beside them to a user's.
 */
import type { ContextMessage, Deliverable } from '../../domain/context.ts'
import type { JsonObject } from '../../domain/json.ts'
import type { Part, Role, TextPart } from '../../domain/message.ts'
import { runsOf } from '../alternate-messages.ts'
import { applicationNote, fillerText } from '../plain-text.ts'
import { safeName } from '../safe-name.ts'
import { type Fields, isFields, isPlain } from '../unknown-json.ts'
import { wellFormed } from '../well-formed.ts'
import { extraFields, isBlank, sdkDetails } from './extra-fields.ts'
import { type Draft, looseParts, placeOf, saysNothing } from './pairing.ts'
import { commonNames } from './read.ts'
import type { AiSdkRequest } from './request.ts'
import { namesOf, type Surroundings, writePart } from './write-parts.ts'

export function writeAiSdk(context: Deliverable): AiSdkRequest {
  const { messages, files } = context
  // System messages before the first other message belong to the instructions.
  const firstOther = messages.findIndex(({ role, meta }) => role !== 'system' || isOwnSystem(meta))
  const opening = firstOther < 0 ? messages.length : firstOther
  const parts = messages.flatMap((message) => message.parts)
  const calls = parts.filter((part) => part.type === 'tool-call')
  const surroundings = { files, calls: new Map(calls.map((call) => [call.callId, namesOf(call)])) }
  const openingMessages = messages.slice(0, opening).flatMap((message) => {
    const content = joinText(writeParts(message.parts, 'user', surroundings))
    return content === '' ? [] : [{ role: 'system', content }]
  })
  const drafts = messages.flatMap((message, source) =>
    source < opening ? [] : writeMessage(message, source, surroundings),
  )
  const system = [...writeSystem(context.system), ...openingMessages]
  const whole = { system, drafts: withEnds(joined(repaired(drafts)), messages) }
  const prompt = withBreakpoints(whole, context.breakpoints)
  const request = {
    ...instructionsOf(prompt.system, context.system),
    messages: prompt.drafts.map(finished),
    ...(prompt.drafts.some(({ role }) => role === 'system') ? { allowSystemInMessages: true } : {}),
  }
  // `problems` checks every part before the request is returned.
  return wellFormed<object>(request) as AiSdkRequest
}

/** The SDK accepts system messages among the messages only if the caller allows it. */
function isOwnSystem(meta: JsonObject | null): boolean {
  return sdkDetails(meta)['system'] === true
}

function joinText(parts: readonly Fields[]): string {
  return parts.flatMap((part) => (part['type'] === 'text' ? [part['text']] : [])).join('\n\n')
}

function writeParts(parts: readonly Part[], role: Role, surroundings: Surroundings) {
  return parts.map((part) => writePart(part, role, surroundings)).filter((part) => part !== null)
}

const messageFields = ['role', 'content']

function writeSystem(parts: readonly TextPart[]): readonly Fields[] {
  return parts.flatMap(({ text, metadata }) => {
    const details = sdkDetails(metadata)
    const fields = extraFields(details, messageFields)
    const hasText = text !== '' && (!isBlank(text) || details['blank'] === true)
    const isKept = hasText || 'providerOptions' in fields
    return isKept ? [{ ...fields, role: 'system', content: text }] : []
  })
}

function instructionsOf(messages: readonly Fields[], parts: readonly TextPart[]): Fields {
  const [first, ...more] = messages
  if (first === undefined) return {}
  const { field, shape } = sdkDetails(parts[0]?.metadata)
  const name = field === 'system' ? 'system' : 'instructions'
  if (more.length > 0 || shape === 'list') return { [name]: messages }
  const plain = Object.keys(first).length === messageFields.length
  return { [name]: shape !== 'message' && plain ? first['content'] : first }
}

function writeMessage(
  message: ContextMessage,
  source: number,
  surroundings: Surroundings,
): readonly Draft[] {
  const details = sdkDetails(message.meta)
  const extra = extraFields(details, messageFields)
  // OpenAI's chat models read the speaker's name from this option; others ignore it.
  const fields = message.author
    ? withOption(extra, 'openai', 'name', safeName(message.author, commonNames))
    : extra
  const draft = (role: Role, parts: readonly Part[]): Draft => ({
    source,
    role,
    fields,
    listed: sdkDetails(parts[0]?.metadata)['listed'] === true,
    apart: details['apart'] === true,
    content: writeParts(parts, role, surroundings),
  })
  switch (message.role) {
    case 'system': {
      if (!isOwnSystem(message.meta)) return [draft('user', applicationNote(message.parts))]
      const written = draft('user', message.parts)
      const text = joinText(written.content)
      return [{ ...written, role: 'system', content: [{ type: 'text', text }] }]
    }
    case 'assistant':
      return [withoutLoneThoughts(draft('assistant', message.parts), message.parts)]
    case 'user':
    case 'tool': {
      const ofTool = (part: Part) => writePart(part, 'tool', surroundings) !== null
      const { results = [], rest = [] } = Object.groupBy(message.parts, (part) =>
        ofTool(part) ? 'results' : 'rest',
      )
      return [draft('tool', results), draft('user', rest)]
    }
  }
}

/** Other providers ignore Gemini's thoughts, and then refuse the empty message. */
function withoutLoneThoughts(draft: Draft, parts: readonly Part[]): Draft {
  const thought = (part: Part) => part.type === 'reasoning' && isFields(part.metadata?.['google'])
  const lone = draft.content.every(({ type }) => type === 'reasoning') && parts.some(thought)
  return lone ? { ...draft, content: [] } : draft
}

/** An option that is already set stays. */
function withOption(fields: Fields, provider: string, name: string, value: unknown): Fields {
  const options = isPlain(fields['providerOptions']) ? fields['providerOptions'] : {}
  const own = isPlain(options[provider]) ? options[provider] : {}
  if (Object.hasOwn(own, name)) return fields
  return { ...fields, providerOptions: { ...options, [provider]: { ...own, [name]: value } } }
}

/**
 * Omitting parts may have removed the first or last message. Providers require the user first, and would
 * continue a last assistant message. A history that the assistant started stays unchanged.
 */
function withEnds(drafts: readonly Draft[], messages: readonly ContextMessage[]): readonly Draft[] {
  const first = drafts.find(({ role }) => role !== 'system')
  const speaker = messages.find(({ role }) => role !== 'system')?.role
  const isOpened = first === undefined || first.role === 'user' || speaker === 'assistant'
  const last = drafts.at(-1)
  const isClosed = last !== undefined && last.role !== 'assistant'
  const opener = isOpened ? [] : [filler(-1)]
  return [...opener, ...drafts, ...(isClosed ? [] : [filler(messages.length)])]
}

function filler(source: number): Draft {
  const content = [{ type: 'text', text: fillerText }]
  return { source, role: 'user', fields: {}, listed: false, apart: false, content }
}

/** A single text is written as a string, unless it was read as a list. */
function finished({ role, fields, listed, content }: Draft): Fields {
  if (role === 'system') return { ...fields, role, content: joinText(content) }
  const [first, ...more] = content
  const plain = first?.['type'] === 'text' && Object.keys(first).length === 2 && more.length === 0
  return { ...fields, role, content: plain && !listed ? first['text'] : content }
}

/**
 * The SDK refuses a call without a result, and providers refuse a result without a call. Parts without
 * their partner are omitted, and then messages that are empty.
 */
function repaired(drafts: readonly Draft[]): readonly Draft[] {
  let filled = drafts.filter((draft) => !saysNothing(draft))
  // Omitting a part may leave its partner alone; each round omits at least one.
  for (let loose = looseParts(filled); loose.size > 0; loose = looseParts(filled)) {
    const parts = loose
    filled = filled
      .map((draft, message) => ({
        ...draft,
        content: draft.content.filter((_, part) => !parts.has(placeOf(message, part))),
      }))
      .filter((draft) => !saysNothing(draft))
  }
  return filled
}

/** Merges an assistant message into the calls before it: some providers want results right after calls. */
function joined(drafts: readonly Draft[]): readonly Draft[] {
  const calls = ({ role, content }: Draft) =>
    role === 'assistant' &&
    content.some(({ type, providerExecuted }) => type === 'tool-call' && providerExecuted !== true)
  const joins = (run: readonly Draft[], next: Draft) =>
    next.role === 'assistant' && !next.apart && run.slice(-1).some(calls)
  return runsOf(drafts, joins).map((run) => ({
    ...(run.at(-1) ?? run[0]),
    fields: Object.assign({}, ...run.map(({ fields }) => fields)),
    content: run.flatMap(({ content }) => content),
  }))
}

interface Prompt {
  readonly system: readonly Fields[]
  readonly drafts: readonly Draft[]
}

const maxBreakpoints = 4

/**
 * Sets Anthropic's `cacheControl` as an option of messages. It replaces the ones that were read, because a
 * request may have four; without breakpoints of ours, the ones that were read stay.
 */
function withBreakpoints(prompt: Prompt, breakpoints: readonly number[]): Prompt {
  if (breakpoints.length === 0) return prompt
  const system = prompt.system.map(withoutHint)
  const last = system.length - 1
  const room = maxBreakpoints - (last < 0 ? 0 : 1)
  const marked = breakpoints.map((index) =>
    prompt.drafts.findLastIndex(({ source }) => source <= index),
  )
  const found = [...new Set(marked)].filter((index) => index >= 0)
  const kept = new Set(found.sort((one, other) => one - other).slice(-room))
  return {
    system: system.map((message, index) => (index === last ? withHint(message) : message)),
    drafts: prompt.drafts.map((draft, index) => {
      const fields = withoutHint(draft.fields)
      const content = draft.content.map(partWithoutHint)
      return { ...draft, content, fields: kept.has(index) ? withHint(fields) : fields }
    }),
  }
}

function withHint(fields: Fields): Fields {
  return withOption(fields, 'anthropic', 'cacheControl', { type: 'ephemeral' })
}

function partWithoutHint(part: Fields): Fields {
  const { output } = part
  if (!isPlain(output)) return withoutHint(part)
  const { type, value } = output
  const bare = (item: unknown) => (isPlain(item) ? withoutHint(item) : item)
  const items = Array.isArray(value) && type === 'content' ? { value: value.map(bare) } : {}
  return withoutHint({ ...part, output: withoutHint({ ...output, ...items }) })
}

function withoutHint(fields: Fields): Fields {
  const { providerOptions, ...others } = fields
  if (!isPlain(providerOptions) || !isPlain(providerOptions['anthropic'])) return fields
  // The SDK accepts both spellings.
  const { cacheControl, cache_control, ...anthropic } = providerOptions['anthropic']
  if (cacheControl === undefined && cache_control === undefined) return fields
  const { anthropic: _, ...rest } = providerOptions
  const options = Object.keys(anthropic).length === 0 ? rest : { ...providerOptions, anthropic }
  return Object.keys(options).length === 0 ? others : { ...others, providerOptions: options }
}
