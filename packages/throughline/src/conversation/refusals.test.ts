/** Invalid input is refused with a code, before anything is written. */
import type { MessageInput } from '../domain/message.ts'
import { onBothStores } from '../testing/both-stores.test-support.ts'
import { refuses, same } from '../testing/contract.ts'
import { brokenMessages } from './refusals.test-support.ts'

const deep = (depth: number) => {
  let value: unknown = 1
  for (let level = 0; level < depth; level += 1) value = [value]
  return value
}

/** Invalid messages that JSON cannot express. */
const oddMessages: Readonly<Record<string, unknown>> = {
  'meta that is not JSON': { role: 'user', content: 'x', meta: { when: new Date(0) } },
  'meta nested too deeply': { role: 'user', content: 'x', meta: { deep: deep(10_000) } },
  'input nested too deeply': {
    role: 'assistant',
    content: [{ type: 'tool-call', callId: '1', name: 'n', input: deep(10_000) }],
  },
  'a hole in the content': { role: 'user', content: new Array(2) },
  'a hole in the input of a call': {
    role: 'assistant',
    content: [{ type: 'tool-call', callId: '1', name: 'n', input: new Array(2) }],
  },
  'a hole in the parts of a result': {
    role: 'tool',
    content: [{ type: 'tool-result', callId: '1', output: { kind: 'parts', parts: new Array(1) } }],
  },
  'a role that is no text': { role: 1n, content: 'x' },
  'a field that cannot be read': {
    role: 'user',
    get content() {
      throw new Error('no')
    },
  },
  'a key without end': { role: 'user', content: 'x', key: 'k'.repeat(1_025) },
  'an invalid time': { role: 'user', content: 'x', createdAt: Number.NaN },
}

onBothStores('refusals of the engine', {
  'refuses broken messages and writes nothing of their batch': async ({ chat }) => {
    const good: MessageInput = { role: 'user', content: 'good' }
    for (const [what, broken] of Object.entries({ ...brokenMessages, ...oddMessages }))
      await refuses('MESSAGE_INVALID', what, () => chat.append([good, broken as MessageInput]))
    same(await chat.info(), null, 'the conversation')
  },
  'refuses invalid ids': async ({ tl }) => {
    const bad: readonly unknown[] = ['', 'x'.repeat(513), 'a\u0000b', '\ud83d', 7, null, undefined]
    for (const id of bad) {
      await refuses('ID_INVALID', `conversation ${JSON.stringify(id)}`, async () =>
        tl.conversation(id as string),
      )
      await refuses('ID_INVALID', `tenant ${JSON.stringify(id)}`, async () =>
        tl.tenant(id as string),
      )
    }
  },
  'refuses positions and limits that are not whole numbers': async ({ tl, chat }) => {
    await chat.append({ role: 'user', content: 'x' })
    for (const bad of [-1, 0.5, Number.NaN, Number.POSITIVE_INFINITY]) {
      await refuses('SPAN_INVALID', `original(${bad})`, () => chat.original(bad))
      await refuses('SPAN_INVALID', `limit ${bad}`, () => tl.list({ limit: bad }))
      await refuses('SPAN_INVALID', `from ${bad}`, () =>
        Array.fromAsync(chat.messages({ from: bad })),
      )
    }
  },
  'refuses unknown options, and options that are no object': async ({ tl, chat }) => {
    const calls: Readonly<Record<string, (options: never) => Promise<unknown>>> = {
      list: (options) => tl.list(options),
      events: (options) => chat.events(options),
      messages: (options) => Array.fromAsync(chat.messages(options)),
      turns: (options) => chat.turns(options),
      purge: (options) => chat.history.purge(options),
      meter: (options) => tl.meter(options),
    }
    for (const [name, call] of Object.entries(calls))
      for (const options of [{ limt: 1 }, null, Symbol('s')])
        await refuses('CONFIG_INVALID', `${name}(${typeof options})`, () => call(options as never))
    const forks = { forks: 'everything' } as never
    await refuses('CONFIG_INVALID', 'purge', () => chat.history.purge(forks))
  },
  'returns null for an invalid hash': async ({ chat }) => {
    await chat.append({ role: 'user', content: 'x' })
    for (const hash of [5, '', 'F'.repeat(64), null])
      same(await chat.file(hash as string), null, `file ${String(hash)}`)
  },
})
