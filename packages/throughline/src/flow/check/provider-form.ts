/** Recognises messages in a provider's form, so that the error can name the adapter to use. */
import type { Fields } from './check-fields.ts'
import {
  aiSdkFields,
  anthropicFields,
  anthropicTypes,
  chatFields,
  chatRoles,
  chatTypes,
  responsesTypes,
} from './provider-form-data.ts'

/** A sentence that says which adapter to use; null if the form is not recognised. */
export function providerFormHint(message: unknown): string | null {
  try {
    const fields = fieldsOf(message)
    if (fields === null) return null
    return forms.find(({ matches }) => matches(fields, partsOf(fields)))?.hint ?? null
  } catch {
    // A getter may throw; the caller already has an error to report.
    return null
  }
}

interface ProviderForm {
  readonly hint: string
  matches(message: Fields, parts: readonly Fields[]): boolean
}

const adapterHint = (whose: string, call: string) =>
  `To convert messages from ${whose}, use ${call} from throughline/adapters`

const forms: readonly ProviderForm[] = [
  {
    hint: 'This looks like the result of an adapter: append its field "messages"',
    matches: ({ messages }) => Array.isArray(messages),
  },
  {
    hint:
      'To convert UI messages from the AI SDK, call its convertToModelMessages, ' +
      'then use aiSdk.read({ messages }) from throughline/adapters',
    matches: (message, parts) =>
      Array.isArray(message['parts']) && parts.some(({ type }) => typeof type === 'string'),
  },
  {
    hint: adapterHint('Gemini', 'geminiContents.read({ contents })'),
    matches: ({ parts, role }) => Array.isArray(parts) || role === 'model',
  },
  {
    hint: adapterHint('the AI SDK', 'aiSdk.read({ messages })'),
    matches: (message, parts) =>
      [message, ...parts].some((fields) => hasAny(fields, aiSdkFields)) ||
      parts.some(({ type, image }) => type === 'image' && image !== undefined),
  },
  {
    hint: adapterHint('OpenAI’s responses', 'openaiResponses.read({ input })'),
    matches: (message, parts) =>
      hasAny(message, ['call_id', 'encrypted_content']) ||
      parts.some(({ type }) => responsesTypes.includes(type)),
  },
  {
    hint: adapterHint('Anthropic', 'anthropicMessages.read({ messages })'),
    matches: (message, parts) =>
      hasAny(message, ['stop_reason']) ||
      parts.some((part) => anthropicTypes.includes(part['type']) || hasAny(part, anthropicFields)),
  },
  {
    hint: adapterHint('OpenAI', 'openaiChat.read({ messages })'),
    matches: (message, parts) =>
      hasAny(message, chatFields) ||
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

function hasAny(fields: Fields, names: readonly string[]): boolean {
  return names.some((name) => Object.hasOwn(fields, name))
}
