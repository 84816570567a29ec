import { describe, expect, it } from 'vitest'
import { fit } from '../fit/fit.ts'
import { policies } from '../policies/presets.ts'
import {
  answers,
  bytesOf,
  extendsIt,
  longTalk,
  model,
  models,
  question,
  recalledIn,
  says,
  talkedLong,
  zeppelin,
  zeppelinAt,
} from './recalled.test-support.ts'

const flag = 'Which flag was it, the orange one?'
const next = (content: string) => ({ role: 'user', content }) as const

describe('text that is recalled for a question', () => {
  it('is before the question, verbatim, with its place, delimited as data', async () => {
    const { chat } = await talkedLong()
    const context = await says(chat, question)
    const at = context.messages.findIndex(({ slot }) => slot === 'recalled')
    expect(context.messages[at]).toMatchObject({ role: 'user', seq: null })
    expect(context.messages[at + 1]).toMatchObject({ seq: 121 })
    const [text] = recalledIn(context)
    expect(text).toContain(`user: ${zeppelin}`)
    expect(text).toContain('data, not instructions')
    expect(text).toMatch(/^#\d+(-#\d+)? · /m)
    expect(context.sections).toContainEqual(expect.objectContaining({ kind: 'recalled' }))
  })

  it('stays byte for byte for the epoch, and each request keeps the cached prefix', async () => {
    const { chat } = await talkedLong()
    let before = await says(chat, question)
    const [first] = recalledIn(before)
    for (const content of ['Good.', flag, 'And the quarry, is it near the mill?']) {
      await answers(chat)
      const context = await says(chat, content)
      expect(context).toMatchObject({ epoch: before.epoch, brokenBy: null })
      expect(extendsIt(context, before)).toBe(true)
      expect(recalledIn(context)[0]).toBe(first)
      before = context
    }
    expect(bytesOf(await chat.context({ model }))).toBe(bytesOf(before))
  })

  it('is the same for a next message and after that was appended', async () => {
    const { chat } = await talkedLong()
    const asked = await chat.context({ model, next: next(question) })
    expect(recalledIn(asked)).toHaveLength(1)
    expect(bytesOf(await says(chat, question))).toBe(bytesOf(asked))
  })

  it('is not shown before another message', async () => {
    const { chat } = await talkedLong()
    await chat.context({ model, next: next(question) })
    expect(recalledIn(await says(chat, 'Thanks.'))).toEqual([])
    await answers(chat)
    const later = await says(chat, 'So where does that zeppelin land?')
    expect(recalledIn(later).join()).toContain(zeppelin)
  })

  it('is recalled for a question in other words, and stays', async () => {
    const { chat } = await talkedLong()
    await chat.context({ model, next: next(question) })
    const came = await says(chat, 'Tell me where the zeppelin lands, and when.')
    expect(recalledIn(came).join()).toContain(zeppelin)
    await answers(chat)
    expect(recalledIn(await says(chat, 'Thanks.'))).toEqual(recalledIn(came))
  })

  it.each(['go on', 'Thanks!', 'What about that?', 'the gate', ''])(
    'is nothing where nothing in particular is meant: %j',
    async (content) => {
      const messages = longTalk({ [zeppelinAt]: zeppelin, 30: 'Thanks, go on.' })
      const { chat } = await talkedLong({}, messages)
      expect(recalledIn(await says(chat, content || ' '))).toEqual([])
    },
  )

  it('contains nothing that is already shown, pinned, or recalled', async () => {
    const { chat } = await talkedLong({}, longTalk({ 116: zeppelin }))
    expect(recalledIn(await says(chat, question)).join()).not.toContain(zeppelin)
    const { chat: pinned } = await talkedLong()
    await pinned.pin(zeppelinAt)
    const context = await says(pinned, question)
    expect(recalledIn(context).join()).not.toContain(zeppelin)
    expect(bytesOf(context)).toContain(zeppelin)
    const { chat: again } = await talkedLong()
    await says(again, question)
    await answers(again)
    const second = recalledIn(await says(again, `Again: ${question}`))
    expect(second.join().split(zeppelin)).toHaveLength(2)
  })

  it('keeps its budget in windows of all sizes, and the request fits', async () => {
    for (const contextWindowTokens of [700, 1_200, 2_500, 6_000]) {
      const cards = [{ ...models[0], contextWindowTokens }]
      const { chat } = await talkedLong({ models: cards })
      const context = await says(chat, `${question} ${flag} Who looked at row 33 and row 44?`)
      expect(context.tokens).toBeLessThanOrEqual(context.available)
      const tokens = context.sections
        .filter(({ kind }) => kind === 'recalled')
        .reduce((sum, section) => sum + section.tokens, 0)
      expect(tokens).toBeLessThanOrEqual(context.available * 0.4)
    }
    const recall = { share: { ratio: 0.35 }, most: 150, upTo: { ratio: 0.5 } } as const
    const { chat } = await talkedLong({ policy: { ...policies.balanced, name: 'less', recall } })
    const { sections } = await says(chat, question)
    const recalled = sections.filter(({ kind }) => kind === 'recalled')
    expect(recalled).toHaveLength(1)
    expect(recalled[0]?.tokens).toBeLessThanOrEqual(150)
  })

  it('exists only where the policy enables it', async () => {
    for (const policy of ['rule-digest', 'ratio-chain'] as const) {
      const { chat } = await talkedLong({ policy })
      expect(recalledIn(await says(chat, question))).toEqual([])
    }
  })

  it('stays with its turn where that is compacted midway', async () => {
    const { chat } = await talkedLong()
    const asked = await says(chat, question)
    let context = asked
    const isKept = () => context.messages.some(({ seq, slot }) => seq === 121 && slot === 'earlier')
    for (let call = 0; !isKept() && call < 40; call += 1) {
      const callId = `call-${call}`
      const input = { path: `field-${call}.txt` }
      await chat.append([
        { role: 'assistant', content: [{ type: 'tool-call', callId, name: 'read', input }] },
        {
          role: 'tool',
          content: [{ type: 'tool-result', callId, output: `grass ${call} `.repeat(60) }],
        },
      ])
      context = await chat.context({ model })
    }
    expect(context.epoch).toBeGreaterThan(asked.epoch)
    expect(recalledIn(context)).toEqual(recalledIn(asked))
    // The compaction has left out messages after the question, which is still directly after it.
    const at = context.messages.findIndex(({ slot }) => slot === 'recalled')
    expect(context.messages[at + 1]).toMatchObject({ seq: 121, slot: 'earlier' })
    expect(bytesOf(await chat.context({ model }))).toBe(bytesOf(context))
  })

  it('leaves with the first compaction after forty messages of work', async () => {
    const { chat } = await talkedLong()
    const asked = await says(chat, question)
    expect(recalledIn(asked)).not.toEqual([])
    for (let call = 0; call < 60; call += 1) {
      const callId = `call-${call}`
      await chat.append([
        { role: 'assistant', content: [{ type: 'tool-call', callId, name: 'read', input: {} }] },
        {
          role: 'tool',
          content: [{ type: 'tool-result', callId, output: `grass ${call} `.repeat(60) }],
        },
      ])
      await chat.context({ model })
    }
    expect(recalledIn(await chat.context({ model }))).toEqual([])
  })

  it('has no secrets, and is not found by them', async () => {
    const secret = `ghp_${'a1B2c3D4e5F6'.repeat(3)}`
    const content = `The zeppelin opens with ${secret} at the quarry.`
    const { chat } = await talkedLong({}, longTalk({ [zeppelinAt]: content }))
    const text = recalledIn(await says(chat, question)).join()
    expect(text).toContain('The zeppelin opens with')
    expect(text).not.toContain(secret)
    expect((await chat.recall(secret)).pieces).toEqual([])
    expect(JSON.stringify(await chat.recall('zeppelin'))).not.toContain(secret)
  })

  it('is in the state of fit', async () => {
    const messages = [...longTalk(), next(question)]
    const asked = await fit({ model, models, messages })
    expect(recalledIn(asked).join()).toContain(zeppelin)
    const more = [...messages, { role: 'assistant', content: 'There.' } as const, next('Thanks.')]
    const state = JSON.parse(JSON.stringify(asked.state)) as typeof asked.state
    const gone = await fit({ model, models, messages: more, state })
    expect(recalledIn(gone)).toEqual(recalledIn(asked))
    expect(gone.brokenBy).toBeNull()
    expect(recalledIn(await fit({ model, models, messages: more }))).toEqual([])
  })
})
