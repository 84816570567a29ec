import { policies } from 'throughline'
import { describe, expect, it } from 'vitest'
import { drawContext } from '../../packages/throughline/src/testing/draw-context.test-support.ts'
import {
  historyOf,
  proposed,
  savedEntity,
} from '../../packages/throughline/src/turns/turn-records.test-support.ts'
import { placesIn, rememberingChat, talkedFor, textIn } from './remembering.test-support.ts'

const model = 'house'
const theme = { text: 'Soups for a week', by: 'house', turn: 1 }
const known = { knows: { theme, pending: proposed(), entities: [savedEntity('a')] } }

describe('a context with a turn memory', () => {
  it('S0-045 XC-12: has the theme first and the memory before the messages, in policy order', async () => {
    const { chat } = await talkedFor(5, {}, () => ({ ...known, steps: [{}] }))
    const context = await chat.context({ model, system: 'Be brief.', profile: 'Ada' })
    expect(drawContext(context).replace(/ · data.*$/gm, '')).toMatchInlineSnapshot(`
      "system                Be brief.
      theme user            [what this conversation is about
      profile user          [profile
      history user          [earlier turns, #0-#3, in short
      entities user         [entities: type, id, name
      pending user          [pending since turn 4
      turns user            [turn 3, 2026-11-15 21:03, #4-#5: the user
      steps user            [steps: turn.step and outcome
      user            #10   And now?"
    `)
    expect(policies['turn-memory'].advanced.slots.map(({ kind }) => kind).join(' ')).toBe(
      'system theme profile pins summary ledger files history entities pending turns steps earlier recent retrieved current',
    )
    expect(context.messages.every(({ role }) => role === 'user')).toBe(true)
  })

  it('S0-015: omits the messages of remembered turns, and lists them', async () => {
    const { chat } = await talkedFor(4)
    const context = await chat.context({ model })
    expect(placesIn(context)).toEqual([8])
    expect(context.omitted).toEqual([{ span: { from: 0, to: 8 }, why: 'left-out', tokens: null }])
    expect(textIn(context, 'earlier')).toBe('')
    expect(textIn(context, 'turns')).toContain('Question 4?')
  })

  it('A-015: has the full memory by default', async () => {
    const { chat } = await talkedFor(5, {}, () => ({ ...known, steps: [{}] }))
    const [full, condensed, left] = [
      await chat.context({ model, memory: 'full' }),
      await chat.context({ model, memory: 'condensed' }),
      await chat.context({ model }),
    ]
    expect(JSON.stringify(left.messages)).toBe(JSON.stringify(full.messages))
    expect(textIn(full, 'turns')).toContain('Question 3?')
    expect(textIn(full, 'steps')).toContain('row of 5.0')
    expect(textIn(condensed, 'turns')).not.toContain('Question 3?')
    expect(textIn(condensed, 'steps')).toBe('')
  })

  it('A-015: has the newest turn in a small window with many entities', async () => {
    const entities = Array.from({ length: 200 }, (_, at) =>
      savedEntity(`e${at}`, { type: `t${at}` }),
    )
    const { chat } = await talkedFor(4, { window: 2_000 }, () => ({ knows: { entities } }))
    for (const reader of ['condensed', 'full'] as const) {
      const context = await chat.context({ model, memory: reader })
      expect(textIn(context, 'turns')).toContain('Answer 4.')
      expect(textIn(context, 'entities')).toMatch(/^… \d+ more: \d+ of 200 are shown$/m)
    }
  })

  it('S0-058: has the pending proposal in the next turn', async () => {
    const { chat, remember } = await talkedFor(1, {}, () => ({ knows: { pending: proposed() } }))
    const waiting = textIn(await chat.context({ model, memory: 'condensed' }), 'pending')
    expect(waiting).toContain('waits for the user to confirm it: nothing is done.')
    expect(waiting).toContain('I would save Soup a and Soup b.')
    await chat.append({ role: 'assistant', content: 'Saved.' })
    await remember({ knows: { pending: null } })
    expect(textIn(await chat.context({ model }), 'pending')).toBe('')
  })

  it('shows the messages of turns that are not remembered', async () => {
    const { chat, talk } = await talkedFor(2)
    await talk(3)
    await talk(4)
    expect(placesIn(await chat.context({ model }))).toEqual([4, 5, 6, 7, 8])
    const plain = rememberingChat()
    await plain.talk(1)
    const context = await plain.chat.context({ model })
    expect([placesIn(context), context.omitted, context.epoch]).toEqual([[0, 1], [], 1])
  })

  it('shows the next message after the memory, and a pin of a remembered turn', async () => {
    const { chat, talk, remember } = rememberingChat()
    await talk(1)
    await remember()
    await chat.pin('#0')
    const context = await chat.context({ model, next: { role: 'user', content: 'Next?' } })
    expect(placesIn(context)).toEqual([2])
    expect(textIn(context, 'pins')).toContain('Question 1?')
    expect(context.omitted).toEqual([{ span: { from: 1, to: 2 }, why: 'left-out', tokens: null }])
    const bare = await chat.context({ model })
    expect([placesIn(bare), bare.messages.at(-1)?.role]).toEqual([[], 'user'])
  })

  it('has the memory in the sections and in the receipt of the epoch', async () => {
    const { chat } = await talkedFor(4, {}, () => ({ ...known, steps: [{}] }))
    const { sections, epoch } = await chat.context({ model })
    expect(sections.map(({ kind }) => kind)).toEqual([
      ...['theme', 'history', 'entities', 'pending', 'turns', 'steps', 'current'],
    ])
    const [receipt] = await chat.receipts()
    expect(receipt).toMatchObject({ epoch, line: 8, covered: { from: 0, to: 8 } })
    const { frames: _, ...tokens } = receipt?.tokensByKind ?? {}
    expect(tokens).toEqual(Object.fromEntries(sections.map((each) => [each.kind, each.tokens])))
  })

  it('has memory and messages if the policy has no slot for turns', async () => {
    const slots = policies.balanced.advanced.slots.flatMap((slot) =>
      slot.kind === 'profile' ? [slot, { kind: 'theme' } as const] : [slot],
    )
    const { chat } = await talkedFor(
      2,
      { policy: { name: 'themed', advanced: { slots } } },
      () => known,
    )
    const context = await chat.context({ model })
    expect(placesIn(context)).toEqual([0, 1, 2, 3, 4])
    expect([textIn(context, 'theme').includes(theme.text), context.omitted]).toEqual([true, []])
  })

  it('keeps as many turns in full as the policy says', async () => {
    const policy = {
      ...policies['turn-memory'],
      name: 'two',
      advanced: { turns: { fullTurns: 2 } },
    }
    const { chat } = await talkedFor(4, { policy }, () => ({ knows: { history: historyOf(2) } }))
    const turns = textIn(await chat.context({ model }), 'turns')
    expect([turns.includes('Question 2?'), turns.includes('Question 3?')]).toEqual([false, true])
  })
})

describe('a remembered turn', () => {
  it('can be expanded and searched', async () => {
    const { chat } = await talkedFor(4)
    await chat.context({ model })
    expect((await chat.expand('#3'))?.text).toContain('Answer 2.')
    const { pieces } = await chat.recall('question 2')
    expect(pieces.some(({ text }) => text.includes('Question 2?'))).toBe(true)
  })

  it('is inherited by a fork after it', async () => {
    const { chat, remember } = await talkedFor(4)
    const forked = await chat.history.fork(5, 'f')
    if (!forked.ok) throw new Error('no fork')
    const fork = forked.value
    const context = await fork.context({ model })
    expect(placesIn(context)).toEqual([4])
    expect(textIn(context, 'turns')).toContain('Question 2?')
    expect(textIn(context, 'turns')).not.toContain('Answer 3.')
    await fork.append({ role: 'assistant', content: 'Another way.' })
    await remember({}, fork)
    expect(textIn(await fork.context({ model }), 'turns')).toContain('turn 3')
    expect(placesIn(await chat.context({ model }))).toEqual([8])
  })

  it('is shown as messages from the first edited message on', async () => {
    const { chat, talk, remember } = await talkedFor(4)
    await chat.context({ model })
    await chat.history.edit('#4', { role: 'user', content: 'In euros?' })
    const context = await chat.context({ model })
    expect(placesIn(context)).toEqual([4, 5, 6, 7, 8])
    expect(drawContext(context)).toContain('In euros?')
    expect(textIn(context, 'turns')).toContain('Question 2?')
    expect(textIn(context, 'turns')).not.toContain('Question 4?')
    expect(context.brokenBy).toBe('history-changed')
    // Once newer turns are the full ones, a history line replaces the edited turn.
    for (let turn = 5; turn <= 7; turn += 1) {
      await talk(turn)
      await remember()
    }
    expect(placesIn(await chat.context({ model }))).toEqual([])
  })

  it('has no text of a purged message', async () => {
    const { chat } = await talkedFor(3)
    await chat.context({ model })
    await chat.history.purgeMessage('#2')
    const context = await chat.context({ model })
    expect(JSON.stringify(context.messages)).not.toContain('Question 2?')
    expect(placesIn(context)).toEqual([3, 4, 5, 6])
  })
})

describe('the option memory', () => {
  it('is refused if the policy has no slot for it, with advice', async () => {
    const { chat } = rememberingChat({ policy: 'balanced' })
    const asked = { model, memory: 'condensed' } as const
    const refused = expect.objectContaining({
      code: 'CONFIG_INVALID',
      message: expect.stringContaining('use the policy turn-memory') as string,
    })
    await expect(chat.context(asked)).rejects.toEqual(refused)
    await expect(chat.preview(asked)).rejects.toEqual(refused)
    await expect(chat.context({ model })).resolves.toMatchObject({ epoch: 1 })
  })

  it('accepts only the two readers', async () => {
    const { chat } = rememberingChat()
    await expect(chat.context({ model, memory: 'short' as never })).rejects.toMatchObject({
      code: 'CONFIG_INVALID',
    })
  })

  it('A-015: works in a preview, which changes nothing', async () => {
    const { chat } = await talkedFor(4, {}, () => known)
    const { context, decision, receipt } = await chat.preview({ model, memory: 'condensed' })
    expect(decision).toMatchObject({ kind: 'renew', reason: 'first' })
    expect(placesIn(context)).toEqual([8])
    expect(textIn(context, 'turns')).not.toContain('Question 2?')
    expect(receipt).toMatchObject({ line: 8 })
    expect(await chat.receipts()).toEqual([])
  })
})
