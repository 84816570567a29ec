/**
 * Provider forms are refused, because the log has one form; the error names the adapter that
 * reads them.
 */
import type { Fields } from './check-fields.ts'
import {
  aiSdkFields,
  anthropicFields,
  anthropicTypes,
  chatFields,
  chatRoles,
  chatTypes,
  responsesTypes,
} from './foreign-form-data.ts'

/** What to do with it, as a sentence; null where the shape does not say whose form it is. */
export function remedyFor(message: unknown): string | null {
  try {
    const fields = fieldsOf(message)
    if (fields === null) return null
    const found = forms.find(({ isIt }) => isIt(fields, partsOf(fields)))
    return found?.remedy ?? null
  } catch {
    // A getter may throw, and what was wrong with the message is known already.
    return null
  }
}

interface ForeignForm {
  readonly remedy: string
  isIt(message: Fields, parts: readonly Fields[]): boolean
}

const readBy = (whose: string, call: string) =>
  `Messages in the form of ${whose} are read by ${call} of throughline/adapters`

const forms: readonly ForeignForm[] = [
  {
    remedy: 'Of what an adapter has read, the messages are appended: its field "messages"',
    isIt: ({ messages }) => Array.isArray(messages),
  },
  {
    remedy:
      'Messages of the AI SDK’s user interface become those of a model by its convertToModelMessages, ' +
      'and those are read by aiSdk.read({ messages }) of throughline/adapters',
    isIt: ({ parts: own }, parts) =>
      Array.isArray(own) && parts.some(({ type }) => typeof type === 'string'),
  },
  {
    remedy: readBy('Gemini', 'geminiContents.read({ contents })'),
    isIt: ({ parts, role }) => Array.isArray(parts) || role === 'model',
  },
  {
    remedy: readBy('the AI SDK', 'aiSdk.read({ messages })'),
    isIt: (message, parts) =>
      [message, ...parts].some((fields) => hasOne(fields, aiSdkFields)) ||
      parts.some(({ type, image }) => type === 'image' && image !== undefined),
  },
  {
    remedy: readBy('OpenAI’s responses', 'openaiResponses.read({ input })'),
    isIt: (message, parts) =>
      hasOne(message, ['call_id', 'encrypted_content']) ||
      parts.some(({ type }) => responsesTypes.includes(type)),
  },
  {
    remedy: readBy('Anthropic', 'anthropicMessages.read({ messages })'),
    isIt: (message, parts) =>
      hasOne(message, ['stop_reason']) ||
      parts.some((part) => anthropicTypes.includes(part['type']) || hasOne(part, anthropicFields)),
  },
  {
    remedy: readBy('OpenAI', 'openaiChat.read({ messages })'),
    isIt: (message, parts) =>
      hasOne(message, chatFields) ||
      chatRoles.includes(message['role']) ||
      parts.some(({ type, file }) => chatTypes.includes(type) || fieldsOf(file) !== null),
  },
]

function partsOf({ content, parts }: Fields): readonly Fields[] {
  const list: unknown = Array.isArray(parts) ? parts : content
  if (!Array.isArray(list)) return []
  return list.map(fieldsOf).filter((part) => part !== null)
}

function fieldsOf(value: unknown): Fields | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Fields)
    : null
}

function hasOne(fields: Fields, names: readonly string[]): boolean {
  return names.some((name) => Object.hasOwn(fields, name))
}
