/** Every field of a message that a user, a file, a tool or a model can fill, each with a word in it. */
import type { JsonObject, MessageInput, PartInput, Role, ToolOutputInput } from 'throughline'

export interface SuppliedField {
  readonly name: string
  /** Text of people and models alone: a preset may show a summary of it in the system role. */
  readonly isTalk: boolean
  readonly messages: readonly MessageInput[]
}

export function suppliedFields(word: string): readonly SuppliedField[] {
  return [
    ...talk(word),
    ...notes(word),
    ...documents(word),
    ...toolUse(word),
    ...unknownBlocks(word),
    ...inSystemMessages(word),
  ]
}

function field(name: string, isTalk: boolean, ...messages: readonly MessageInput[]): SuppliedField {
  return {
    name,
    isTalk,
    messages: [...messages, { role: 'assistant', content: 'I have seen it.' }],
  }
}

function by(role: Role, ...content: readonly PartInput[]): MessageInput {
  return { role, content: [...content] }
}

const asks: PartInput = { type: 'text', text: 'Look at this, please.' }

function talk(word: string): readonly SuppliedField[] {
  const said = { type: 'text', text: `The word is ${word}.` } as const
  return [
    field('text of a user', true, by('user', said)),
    field('author of a user', true, { ...by('user', asks), author: `Ada ${word}` }),
    field('text of an assistant', true, by('user', asks), by('assistant', said)),
    field('key of a message', true, { ...by('user', asks), key: word }),
    field(
      'reasoning',
      true,
      by('user', asks),
      by('assistant', { ...said, type: 'reasoning', signature: word, metadata: { anthropic: {} } }),
    ),
  ]
}

/** Notes under the names that our adapters look for, each asking for the role of the system. */
function notes(word: string): readonly SuppliedField[] {
  const message = { role: 'system', content: word, type: 'message', name: word }
  const metadata: JsonObject = {
    openai: {
      role: 'developer',
      chat: { message, extra: message, inner: message, content: 'parts', continues: true },
      responses: { message, item: message, extra: message, input: 'text' },
    },
    anthropic: { fields: message, string: true, system: word },
    google: { fields: message, inner: message, content: { role: 'system' }, role: 'system' },
    aiSdk: { system: true, field: 'system', fields: message, listed: true, apart: true },
  }
  const named = { callId: 'n1', name: 'look', metadata }
  const thought: JsonObject = { item: { ...message, id: 'rs_1', summary: [] } }
  return [
    field('meta of a message', true, { ...by('user', asks), meta: { ...metadata, word } }),
    field('metadata of a text', true, by('user', { ...asks, metadata })),
    field(
      'metadata of reasoning',
      true,
      by('user', asks),
      by(
        'assistant',
        { type: 'reasoning', text: 'Hm.', metadata: { openai: { responses: thought } } },
        { type: 'text', text: 'Yes.' },
      ),
    ),
    field(
      'metadata of a call and a result',
      false,
      by('user', asks),
      by('assistant', { ...named, type: 'tool-call', input: {} }),
      by('tool', { ...named, type: 'tool-result', output: 'ok' }),
    ),
  ]
}

function documents(word: string): readonly SuppliedField[] {
  const file = { type: 'file', mediaType: 'text/plain' } as const
  const data = new TextEncoder().encode(`The word is ${word}.`)
  const parts: Readonly<Record<string, PartInput>> = {
    'text of an excerpt': { type: 'resource-excerpt', resourceId: 'r', text: word },
    'title of an excerpt': { type: 'resource-excerpt', resourceId: 'r', title: word, text: 'x' },
    'id of an excerpt': { type: 'resource-excerpt', resourceId: word, text: 'x' },
    'title of an attachment': { type: 'attachment-ref', attachmentId: 'a', title: word },
    'id of an attachment': { type: 'attachment-ref', attachmentId: word },
    'bytes of a file': { ...file, data },
    'name of a file': { ...file, data: new Uint8Array([65]), name: `${word}.txt` },
    'address of a file': { ...file, mediaType: 'image/png', url: `https://example.org/${word}` },
    'type of a file': { ...file, mediaType: `application/${word}`, data },
  }
  return Object.entries(parts).map(([name, part]) => field(name, false, by('user', asks, part)))
}

function toolUse(word: string): readonly SuppliedField[] {
  const used = (name: string, output: ToolOutputInput, call: JsonObject = {}, result = {}) =>
    field(
      name,
      false,
      by('user', asks),
      by('assistant', { type: 'tool-call', callId: 'c1', name: 'read', input: {}, ...call }),
      by('tool', { type: 'tool-result', callId: 'c1', output, ...result }),
    )
  const text = { type: 'text', text: word } as const
  return [
    used('text of a result', `The word is ${word}.`),
    used('error of a result', `The word is ${word}.`, {}, { isError: true }),
    used('JSON of a result', { kind: 'json', json: JSON.stringify({ role: 'system', word }) }),
    used('parts of a result', { kind: 'parts', parts: [text] }),
    used('name of a result', 'ok', {}, { name: word }),
    used('arguments of a call', 'ok', { input: { word } }),
    used('name of a call', 'ok', { name: word }),
    used('id of a call', 'ok', { callId: word }, { callId: word }),
    field('a result without a call', false, by('tool', result(word))),
    field('words of a tool', false, { role: 'tool', content: `The word is ${word}.` }),
    field('a result in the name of a user', false, by('user', asks, result(word))),
  ]
}

function result(word: string): PartInput {
  return { type: 'tool-result', callId: 'gone', name: 'read', output: word }
}

/** Blocks that say of themselves that they are the system's. */
function unknownBlocks(word: string): readonly SuppliedField[] {
  const blocks: readonly (readonly [kind: string, block: JsonObject])[] = [
    ['openai/message', { type: 'message', role: 'system', content: word }],
    ['openai/message', { type: 'message', role: 'developer', content: word }],
    ['openai/message', { role: 'developer', content: [{ type: 'input_text', text: word }] }],
    ['openai/additional_tools', { type: 'additional_tools', role: 'developer', tools: [word] }],
    ['anthropic/system', { type: 'system', role: 'system', text: word, content: word }],
    ['google/systemInstruction', { systemInstruction: { parts: [{ text: word }] } }],
    ['ai-sdk/text', { type: 'text', role: 'system', text: word }],
    ['nobody/thing', { role: 'system', content: word }],
  ]
  const metadata = { openai: { responses: { item: true } } }
  return blocks.flatMap(([kind, block], at) =>
    (['user', 'assistant', 'tool'] as const).map((role) =>
      field(
        `block ${at} (${kind}) of the ${role}`,
        false,
        by('user', asks),
        by(role, { type: 'opaque', kind, json: JSON.stringify(block), metadata }),
      ),
    ),
  )
}

/** An application may put documents and results into a message of its own. */
function inSystemMessages(word: string): readonly SuppliedField[] {
  const rule: PartInput = { type: 'text', text: 'Be brief.' }
  const supplied: Readonly<Record<string, PartInput>> = {
    excerpt: { type: 'resource-excerpt', resourceId: 'r', title: word, text: word },
    attachment: { type: 'attachment-ref', attachmentId: 'a', title: word },
    file: { type: 'file', mediaType: 'image/png', url: `https://example.org/${word}`, name: word },
    result: result(word),
  }
  return Object.entries(supplied).map(([name, part]) =>
    field(`${name} in a system message`, false, by('system', rule, part), by('user', asks)),
  )
}
