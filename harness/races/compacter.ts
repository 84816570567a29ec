/**
 * One of the processes, on a file or on PostgreSQL: appends, compacts and requests contexts, as often as asked, and prints the
 * numbers of the acknowledged messages.
 */
import { parseArgs } from 'node:util'
import { postgres } from '@throughline/postgres'
import { type Context, createThroughline, isThroughlineError, policies } from 'throughline'
import { sqlite } from 'throughline/stores/sqlite'
import { numberedText } from './observed.ts'
import { strictModel, tokenizer } from './strict-model.ts'

const { values } = parseArgs({
  options: {
    file: { type: 'string', default: '' },
    database: { type: 'string', default: '' },
    writers: { type: 'string', default: '2' },
    writer: { type: 'string', default: '0' },
    compactions: { type: 'string', default: '10' },
  },
})

const tl = createThroughline({
  store: values.database === '' ? sqlite(values.file) : postgres({ url: values.database }),
  tokenizer,
  policy: {
    ...policies['rolling-rows'],
    name: 'two processes',
    limits: { ...policies['rolling-rows'].limits, callsPerHour: 1_000_000 },
  },
  models: [{ id: 'toy/chat', contextWindowTokens: 8_000 }],
  summarizer: strictModel(32_000).model,
})
const chat = tl.conversation('shared')
/** Several processes may be faster each time; then the error says that it can be tried again. */
async function requested(): Promise<Context> {
  for (;;)
    try {
      return await chat.context({ model: 'toy/chat' })
    } catch (error) {
      if (!isThroughlineError(error) || error.code !== 'STORE_BUSY') throw error
    }
}
const acknowledged: number[] = []
let next = Number(values.writer)

for (let done = 0; done < Number(values.compactions); ) {
  for (const role of ['user', 'assistant'] as const) {
    await chat.append({ role, content: numberedText(next, 30) })
    acknowledged.push(next)
    // Of two processes, one writes even numbers, the other odd ones.
    next += Number(values.writers)
  }
  // Waits for most summaries; the others are written in the background.
  if (acknowledged.length % 10 !== 0) await chat.compactNextRequest()
  const { tokens, available, decision } = await requested()
  if (tokens > available) throw new Error('a context is over its budget')
  if (decision.kind === 'compact') done += 1
}
await tl.close()
console.log(JSON.stringify(acknowledged))
