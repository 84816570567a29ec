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
import { type Fields, isObject, isPlain } from '../unknown-json.ts'
import { wellFormed } from '../well-formed.ts'
import { extraFields, isBlank, sdkDetails } from './extra-fields.ts'
import { commonNameRule } from './read.ts'
import type { AiSdkRequest } from './request.ts'
import { isEmptyForProvider, partPath, type SdkMessage, unpairedParts } from './rules.ts'
import { namesOf, type WriteContext, writePart } from './write-parts.ts'

export function writeAiSdk(context: Deliverable): AiSdkRequest {
  const { messages, files } = context
  // System messages before the first other message belong to the instructions.
  const firstOther = messages.findIndex(({ role, meta }) => role !== 'system' || isInMessages(meta))
  const openingLength = firstOther < 0 ? messages.length : firstOther
  const parts = messages.flatMap((message) => message.parts)
  const calls = parts.filter((part) => part.type === 'tool-call')
  const writeContext = { files, calls: new Map(calls.map((call) => [call.callId, namesOf(call)])) }
  const openingMessages = messages.slice(0, openingLength).flatMap((message) => {
    const content = joinText(writeParts(message.parts, 'user', writeContext))
    return content === '' ? [] : [{ role: 'system', content }]
  })
  const written = messages.flatMap((message, from) =>
    from < openingLength ? [] : writeMessage(message, from, writeContext),
  )
  const prompt = withBreakpoints(
    {
      system: [...writeSystem(context.system), ...openingMessages],
      messages: userFirstAndLast(mergedIntoCalls(withoutUnpaired(written)), messages),
    },
    context.breakpoints,
  )
  const hasSystem = prompt.messages.some(({ role }) => role === 'system')
  const request = {
    ...instructionsOf(prompt.system, context.system),
    messages: prompt.messages.map(messageOf),
    ...(hasSystem ? { allowSystemInMessages: true } : {}),
  }
  // `problems` checks every part before the request is returned.
  return wellFormed<object>(request) as AiSdkRequest
}

/** The SDK accepts system messages among the messages only if the caller allows it. */
function isInMessages(meta: JsonObject | null): boolean {
  return sdkDetails(meta)['system'] === true
}

function joinText(parts: readonly Fields[]): string {
  return parts.flatMap((part) => (part['type'] === 'text' ? [part['text']] : [])).join('\n\n')
}

function writeParts(parts: readonly Part[], role: Role, writeContext: WriteContext) {
  return parts.map((part) => writePart(part, role, writeContext)).filter((part) => part !== null)
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
  const isContentOnly = Object.keys(first).length === messageFields.length
  return { [name]: shape !== 'message' && isContentOnly ? first['content'] : first }
}

function writeMessage(message: ContextMessage, from: number, writeContext: WriteContext) {
  const details = sdkDetails(message.meta)
  const extra = extraFields(details, messageFields)
  // OpenAI's chat models read the speaker's name from this option; others ignore it.
  const fields = message.author
    ? withOption(extra, 'openai', 'name', safeName(message.author, commonNameRule))
    : extra
  const write = (role: Role, parts: readonly Part[]): SdkMessage => ({
    from,
    role,
    fields,
    wasList: sdkDetails(parts[0]?.metadata)['listed'] === true,
    wasSeparate: details['apart'] === true,
    content: writeParts(parts, role, writeContext),
  })
  switch (message.role) {
    case 'system': {
      if (!isInMessages(message.meta)) return [write('user', applicationNote(message.parts))]
      const written = write('user', message.parts)
      const text = joinText(written.content)
      return [{ ...written, role: 'system', content: [{ type: 'text', text }] } as const]
    }
    case 'assistant':
      return [withoutLoneThoughts(write('assistant', message.parts), message.parts)]
    case 'user':
    case 'tool': {
      const { results = [], others = [] } = Object.groupBy(message.parts, (part) =>
        writePart(part, 'tool', writeContext) === null ? 'others' : 'results',
      )
      return [write('tool', results), write('user', others)]
    }
  }
}

/** Other providers ignore Gemini's thoughts, and then refuse the empty message. */
function withoutLoneThoughts(message: SdkMessage, parts: readonly Part[]): SdkMessage {
  const isThought = (part: Part) => part.type === 'reasoning' && isObject(part.metadata?.['google'])
  const hasOnlyReasoning = message.content.every(({ type }) => type === 'reasoning')
  return hasOnlyReasoning && parts.some(isThought) ? { ...message, content: [] } : message
}

/** An option that is already set stays. */
function withOption(fields: Fields, provider: string, name: string, value: unknown): Fields {
  const options = isPlain(fields['providerOptions']) ? fields['providerOptions'] : {}
  const ofProvider = isPlain(options[provider]) ? options[provider] : {}
  if (Object.hasOwn(ofProvider, name)) return fields
  return {
    ...fields,
    providerOptions: { ...options, [provider]: { ...ofProvider, [name]: value } },
  }
}

/**
 * Omitting parts may have removed the first or last message. Providers require the user first, and would
 * continue a last assistant message. A history that the assistant started stays unchanged.
 */
function userFirstAndLast(written: readonly SdkMessage[], messages: readonly ContextMessage[]) {
  const first = written.find(({ role }) => role !== 'system')
  const firstRead = messages.find(({ role }) => role !== 'system')
  const isOpened = first === undefined || first.role === 'user' || firstRead?.role === 'assistant'
  const last = written.at(-1)
  const isClosed = last !== undefined && last.role !== 'assistant'
  const opener = isOpened ? [] : [filler(-1)]
  return [...opener, ...written, ...(isClosed ? [] : [filler(messages.length)])]
}

function filler(from: number): SdkMessage {
  const content = [{ type: 'text', text: fillerText }]
  return { from, role: 'user', fields: {}, wasList: false, wasSeparate: false, content }
}

/** A single text is written as a string, unless it was read as a list. */
function messageOf({ role, fields, wasList, content }: SdkMessage): Fields {
  if (role === 'system') return { ...fields, role, content: joinText(content) }
  const [first, ...others] = content
  const isText = first?.['type'] === 'text' && Object.keys(first).length === 2
  const isString = isText && others.length === 0 && !wasList
  return { ...fields, role, content: isString ? first['text'] : content }
}

/**
 * The SDK refuses a call without a result, and providers refuse a result without a call. Parts without
 * their partner are omitted, and then messages that are empty.
 */
function withoutUnpaired(messages: readonly SdkMessage[]): readonly SdkMessage[] {
  const filled = messages.filter((message) => !isEmptyForProvider(message))
  const unpaired = unpairedParts(filled)
  if (unpaired.size === 0) return filled
  const kept = filled.map((message, index) => ({
    ...message,
    content: message.content.filter((_, part) => !unpaired.has(partPath(index, part))),
  }))
  // Omitting a part may leave its partner alone; each round omits at least one.
  return withoutUnpaired(kept)
}

/** Merges an assistant message into the calls before it: some providers want results right after calls. */
function mergedIntoCalls(messages: readonly SdkMessage[]): readonly SdkMessage[] {
  const hasCall = ({ role, content }: SdkMessage) =>
    role === 'assistant' &&
    content.some(({ type, providerExecuted }) => type === 'tool-call' && providerExecuted !== true)
  const joins = (run: readonly SdkMessage[], next: SdkMessage) =>
    next.role === 'assistant' && !next.wasSeparate && run.slice(-1).some(hasCall)
  return runsOf(messages, joins).map((run) => ({
    ...(run.at(-1) ?? run[0]),
    fields: Object.assign({}, ...run.map(({ fields }) => fields)),
    content: run.flatMap(({ content }) => content),
  }))
}

interface Prompt {
  readonly system: readonly Fields[]
  readonly messages: readonly SdkMessage[]
}

const maxBreakpoints = 4

/**
 * Sets Anthropic's `cacheControl` as an option of messages. A request may have four, so options that were read
 * are removed; without breakpoints they stay.
 */
function withBreakpoints(prompt: Prompt, breakpoints: readonly number[]): Prompt {
  if (breakpoints.length === 0) return prompt
  const system = prompt.system.map(withoutCacheControl)
  const lastSystem = system.at(-1)
  const maxInMessages = maxBreakpoints - (lastSystem === undefined ? 0 : 1)
  const lastIndexes = breakpoints.map((messageIndex) =>
    prompt.messages.findLastIndex(({ from }) => from <= messageIndex),
  )
  const found = [...new Set(lastIndexes)].filter((index) => index >= 0)
  const chosen = new Set(found.sort((one, other) => one - other).slice(-maxInMessages))
  return {
    system: lastSystem === undefined ? system : system.with(-1, withCacheControl(lastSystem)),
    messages: prompt.messages.map((message, index) => {
      const fields = withoutCacheControl(message.fields)
      const content = message.content.map(partWithoutCacheControl)
      return { ...message, content, fields: chosen.has(index) ? withCacheControl(fields) : fields }
    }),
  }
}

function withCacheControl(fields: Fields): Fields {
  return withOption(fields, 'anthropic', 'cacheControl', { type: 'ephemeral' })
}

function partWithoutCacheControl(part: Fields): Fields {
  const { output } = part
  if (!isPlain(output)) return withoutCacheControl(part)
  const { type, value } = output
  const remove = (item: unknown) => (isPlain(item) ? withoutCacheControl(item) : item)
  const items = Array.isArray(value) && type === 'content' ? { value: value.map(remove) } : {}
  return withoutCacheControl({ ...part, output: withoutCacheControl({ ...output, ...items }) })
}

function withoutCacheControl(fields: Fields): Fields {
  const { providerOptions, ...others } = fields
  if (!isPlain(providerOptions) || !isPlain(providerOptions['anthropic'])) return fields
  // The SDK accepts both spellings.
  const { cacheControl, cache_control, ...anthropic } = providerOptions['anthropic']
  if (cacheControl === undefined && cache_control === undefined) return fields
  const { anthropic: _, ...rest } = providerOptions
  const options = Object.keys(anthropic).length === 0 ? rest : { ...providerOptions, anthropic }
  return Object.keys(options).length === 0 ? others : { ...others, providerOptions: options }
}
