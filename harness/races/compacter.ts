/**
 * One of the processes: appends, has the conversation compacted and a context made, so many
 * times, and prints the numbers of the messages that were acknowledged.
 */
import { parseArgs } from 'node:util'
import { createThroughline, policies } from 'throughline'
import { sqlite } from 'throughline/stores/sqlite'
import { numberedText } from './observed.ts'
import { strictModel, tokenizer } from './strict-model.ts'

const { values } = parseArgs({
  options: {
    file: { type: 'string', default: '' },
    writer: { type: 'string', default: '0' },
    compactions: { type: 'string', default: '10' },
  },
})

const tl = createThroughline({
  store: sqlite(values.file),
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
const said: number[] = []
let next = Number(values.writer)

for (let done = 0; done < Number(values.compactions); ) {
  for (const role of ['user', 'assistant'] as const) {
    await chat.append({ role, content: numberedText(next, 30) })
    said.push(next)
    // Even numbers are of the one, odd ones of the other.
    next += 2
  }
  // Somebody waits for most of them; the others are written behind the requests.
  if (said.length % 10 !== 0) await chat.compact()
  const { tokens, available, decision } = await chat.context({ model: 'toy/chat' })
  if (tokens > available) throw new Error('a context is over its budget')
  if (decision.kind === 'compact') done += 1
}
await tl.close()
console.log(JSON.stringify(said))
