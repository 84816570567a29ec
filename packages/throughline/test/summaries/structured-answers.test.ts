import type { JsonObject } from 'throughline'
import { describe, expect, it } from 'vitest'
import { placesIn, setUp, slotText, talkUntilAsked } from './set-up.ts'

const policy = 'ratio-chain'
const summary = 'User wanted to have modules read, and the assistant has found nothing wrong.'

function answered(changes: JsonObject, context: JsonObject = {}): string {
  return JSON.stringify({ summary, keyPoints: [], context, ...changes })
}

const many = (items: number, text = 'files were read') =>
  Array.from({ length: items }, (_, at) => `${text} ${at}`)

describe('the answer of a model', () => {
  it('S1-026…030 S1-032 S1-036…038 S1-003 S1-052 S1-086: becomes a record with decisions and technical names if it is valid', async () => {
    const up = await setUp({
      policy,
      answers: answered(
        { keyPoints: ['module-3.ts holds.'] },
        {
          participants: ['User'],
          decisions: ['The plan goes on for a while.'],
          actionItems: [{ owner: 'Assistant', task: 'look at module-2.ts', due: null }],
          unresolved: ['details of the plan'],
          domainEntities: ['module-1.ts', 'src/part2'],
        },
      ),
    })
    const { context } = await talkUntilAsked(up)
    expect(await up.chat.summaries()).toMatchObject([
      {
        id: expect.stringMatching(/^[0-9a-f]{32}$/),
        text: summary,
        keyPoints: ['module-3.ts holds.'],
        facets: {
          participants: ['User'],
          decisions: ['The plan goes on for a while.'],
          actionItems: [{ owner: 'Assistant', task: 'look at module-2.ts', due: null }],
          unresolved: ['details of the plan'],
          domainEntities: ['module-1.ts', 'src/part2'],
        },
        covers: { from: 0, to: placesIn(context)[0] },
        madeBy: { summarizer: 'structured', model: 'openai/gpt-5-mini' },
      },
    ])
    // B1-5: fields that are not empty are shown.
    const shown = slotText(context, 'summary')
    for (const text of [
      'Key Points:\n- module-3.ts holds.',
      'Decisions:\n- The plan goes on for a while.',
      'Action Items:\n- Assistant: look at module-2.ts',
      'Domain Entities:\n- module-1.ts\n- src/part2',
    ])
      expect(shown).toContain(text)
  })

  it.each([
    ['empty', answered({}, { participants: [], decisions: [], domainEntities: [] })],
    ['missing', JSON.stringify({ summary })],
    ['null', answered({ keyPoints: null }, { decisions: null, unresolved: null })],
  ])('S1-087 X1-10: lists that are %s are empty and have no heading', async (_, answers) => {
    const up = await setUp({ policy, answers })
    const { context } = await talkUntilAsked(up)
    expect(await up.chat.summaries()).toMatchObject([
      {
        keyPoints: [],
        facets: {
          participants: [],
          decisions: [],
          actionItems: [],
          unresolved: [],
          domainEntities: [],
        },
      },
    ])
    expect(slotText(context, 'summary')).not.toMatch(/Decisions|Key Points|Unresolved/)
  })

  it.each([
    ['S1-071', 'an empty summary', answered({ summary: ' ' })],
    ['S1-071', 'no summary', '{"keyPoints":[]}'],
    ['S1-072', '31 key points', answered({ keyPoints: many(31) })],
    ['S1-073', '31 participants', answered({}, { participants: many(31) })],
    ['S1-073', '51 decisions', answered({}, { decisions: many(51) })],
    [
      'S1-073',
      '51 things to do',
      answered({}, { actionItems: many(51).map((task) => ({ task })) }),
    ],
    ['S1-073', '51 things unresolved', answered({}, { unresolved: many(51) })],
    ['S1-073', '81 names', answered({}, { domainEntities: many(81) })],
    ['S1-073', '5,001 characters', answered({ summary: 'files '.repeat(834).trim() })],
    ['S1-073', 'a key point of 501', answered({ keyPoints: ['files '.repeat(84)] })],
    ['S1-073', 'a task of 401', answered({}, { actionItems: [{ task: 'read '.repeat(81) }] })],
    ['S1-089', 'JSON that ends in the middle', answered({}).slice(0, 40)],
    ['S1-089', 'prose', 'Files were read, and nothing is wrong with them.'],
  ])('%s S1-046 S1-053: %s is refused as invalid, without an exception', async (_, __, answers) => {
    const reason = expect.stringMatching(/^(?:wrong-schema|not-json|cut-off): /)
    const up = await setUp({ policy, answers })
    const { context } = await talkUntilAsked(up)
    expect(up.live.at(-1)).toMatchObject({
      kind: 'summarization-failed',
      summarization: {
        why: 'all-failed',
        attempts: [{ tryOfModel: 1, outcome: { kind: 'refused', reasons: [reason] } }],
      },
    })
    expect(await up.chat.summaries()).toEqual([])
    expect(placesIn(context)[0]).toBe(0)
  })

  it.each([
    ['30 key points of 16 characters', answered({ keyPoints: many(30, 'read') })],
    [
      'two lists at half of their caps',
      answered({}, { participants: many(15, 'a'), decisions: many(25, 'b') }),
    ],
  ])('S1-072 S1-073: accepts %s', async (_, answers) => {
    const up = await setUp({ policy, windowTokens: 8_000, answers })
    await talkUntilAsked(up)
    expect(await up.chat.summaries()).toHaveLength(1)
  })

  it('S1-076: is logged if refused, as one line of 200 characters without secrets', async () => {
    const secret = `sk-proj-${'a1B2c3D4'.repeat(6)}`
    const up = await setUp({
      policy,
      answers: `The key is\n${secret}\n${'and so on '.repeat(100)}`,
    })
    await talkUntilAsked(up)
    expect(up.server.requests).toHaveLength(1)
    const [failed] = up.live.filter(({ kind }) => kind === 'summarization-failed')
    const outcome =
      failed?.kind === 'summarization-failed' ? failed.summarization.attempts[0]?.outcome : null
    const excerpt = outcome?.kind === 'refused' ? outcome.excerpt : ''
    expect(excerpt).toMatch(/^The key is /)
    expect([...excerpt].length).toBeLessThanOrEqual(200)
    expect(excerpt).not.toMatch(/\n|a1B2c3D4/)
  })
})
