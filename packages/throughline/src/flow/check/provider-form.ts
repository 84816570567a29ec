/** Recognises messages in a provider's form, so that the error can name the adapter to use. */
import { isObject } from '../../domain/json.ts'
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
    if (!isObject(message)) return null
    return forms.find(({ matches }) => matches(message, partsOf(message)))?.hint ?? null
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
      parts.some(({ type, file }) => chatTypes.includes(type) || isObject(file)),
  },
]

function partsOf({ content, parts }: Fields): readonly Fields[] {
  const list: unknown = Array.isArray(parts) ? parts : content
  if (!Array.isArray(list)) return []
  return list.filter(isObject)
}

function hasAny(fields: Fields, names: readonly string[]): boolean {
  return names.some((name) => Object.hasOwn(fields, name))
}
