/**
 * Originals are returned byte for byte, whatever their content. `npm test` uses a few thousand
 * messages; ROUND_TRIPS=100000 npm run test:exact uses the full number.
 */
import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { createThroughline, type MessageInput, type Store } from 'throughline'
import { memory } from 'throughline/stores/memory'
import { sqlite } from 'throughline/stores/sqlite'
import { afterAll, expect, it } from 'vitest'
import { testFolder } from '../stores/sqlite-file.ts'

const folder = testFolder()
afterAll(() => folder.remove())

const roundTrips = Number(process.env['ROUND_TRIPS'] ?? 2_000)
const perBatch = 200

const anyText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 60 }),
  // Any UTF-16 code units: NUL, half pairs, byte order marks.
  fc
    .array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 40 })
    .map((units) => String.fromCharCode(...units)),
  fc.constantFrom('', '\u0000', '\ud800', '\udfff\ud800', '\ufeff', '\u2028', '__proto__'),
)
const anyJson = fc.oneof(
  fc.json(),
  fc.constantFrom(
    '{"b":1,"a":12345678901234567890}',
    '{"1":1,"0":2,"a":1,"a":2}',
    '[1.0, 1e400, -0]',
    'broken {',
  ),
)
const anyContent: fc.Arbitrary<MessageInput['content']> = fc.oneof(
  anyText,
  fc.array(
    fc.oneof(
      fc.record({ type: fc.constant('text' as const), text: anyText }),
      fc.record({ type: fc.constant('reasoning' as const), text: anyText, signature: anyText }),
      fc.record({
        type: fc.constant('tool-call' as const),
        callId: anyText.filter((text) => text !== ''),
        name: fc.constant('n'),
        input: anyJson,
      }),
      fc.record({
        type: fc.constant('tool-result' as const),
        callId: fc.constant('never'),
        output: fc.oneof(
          anyText,
          anyJson.map((json) => ({ kind: 'json' as const, json })),
        ),
      }),
      fc.record({ type: fc.constant('opaque' as const), kind: fc.constant('x/y'), json: anyJson }),
    ),
    { maxLength: 4 },
  ),
)
const anyMessage: fc.Arbitrary<MessageInput> = fc.record(
  {
    role: fc.constantFrom(
      'system' as const,
      'user' as const,
      'assistant' as const,
      'tool' as const,
    ),
    content: anyContent,
    author: anyText,
    raw: fc.uint8Array({ maxLength: 80 }),
  },
  { requiredKeys: ['role', 'content'] },
)

const stores: Readonly<Record<string, () => Store>> = {
  memory: () => memory(),
  SQLite: () => sqlite(folder.file('exact.db'), { durability: 'normal' }),
}

for (const [name, open] of Object.entries(stores))
  it(`${name} returns ${roundTrips} messages and their originals unchanged`, {
    timeout: 600_000,
  }, async () => {
    const tl = createThroughline({ store: open() })
    const chat = tl.conversation('c')
    const seed = Date.now() % 1_000_000
    let different = 0
    for (let done = 0; done < roundTrips; done += perBatch) {
      const batch = fc.sample(anyMessage, { seed: seed + done, numRuns: perBatch })
      await chat.append(batch)
      const messages = await Array.fromAsync(chat.messages({ from: done, to: done + perBatch }))
      for (const [index, message] of messages.entries()) {
        const given = batch[index]
        const original = await chat.original(message.seq)
        const hash = createHash('sha256')
          .update(original ?? '')
          .digest('hex')
        const same =
          hash === message.hashes.content &&
          (given?.raw === undefined || Buffer.from(given.raw).equals(original ?? Buffer.of())) &&
          textsOf(message.parts) === textsOf(given?.content) &&
          message.author === (given?.author ?? null)
        if (!same) different += 1
      }
      expect(messages.length).toBe(perBatch)
    }
    await tl.close()
    expect(different, `seed ${seed}`).toBe(0)
  })

/** All texts of the parts, in order, as JSON, which also compares lone surrogates. */
function textsOf(content: MessageInput['content'] | readonly object[] | undefined): string {
  if (typeof content === 'string') return JSON.stringify([content])
  return JSON.stringify(
    (content ?? []).flatMap((part) => {
      const { text, input, json, output, signature, callId } = part as Record<string, unknown>
      const result = typeof output === 'object' ? Object.values(output ?? {}).at(-1) : output
      return [text, input, json, result, signature, callId].filter(
        (value) => value !== undefined && value !== null,
      )
    }),
  )
}
