/** The designs of rows and of a running summary on their shipped presets. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Context, historyText } from 'throughline'
import { sqlite } from 'throughline/stores/sqlite'
import { fakeClock, scriptedModel } from 'throughline/testing'
import { describe, expect, it, onTestFinished } from 'vitest'
import { rowsIn, testFolder } from '../stores/sqlite-file.ts'
import { slotsOf, talkSlowly, tokensOf } from '../summaries/background-summaries.ts'
import {
  exchange,
  lastOf,
  model,
  placesIn,
  type SetUpOptions,
  setUp,
  slotText,
} from '../summaries/set-up.ts'

const rows = (options: Partial<SetUpOptions> = {}) =>
  setUp({ policy: 'rolling-rows', windowTokens: 16_000, ...options })

const fixed =
  'User had module-0.ts in src/part0 looked at, with details of the plan.\n\nKey points covered:\n- Part 0 holds.\n\nThe tone was calm.'

describe('rolling-rows', () => {
  it('S3-066 S3-068 S3-069 S3-070 S3-116: has the fixed text of a mock, then the messages marked as past, and an unchanged log', async () => {
    const mock = scriptedModel(() => fixed)
    const up = await rows({ summarizer: () => mock })
    const profile = 'Ines plans to move.'
    const retrieved = [{ id: 'm-7', title: 'an earlier talk', text: 'Ines likes the sea.' }]
    const ask = () => up.chat.context({ model, profile, retrieved })
    const context = lastOf(await talkSlowly(up, { from: 0, to: 14, ask }))
    expect(mock.asked.length).toBeGreaterThan(0)
    expect(up.server.requests).toEqual([])
    expect(slotsOf(context)).toEqual(['profile', 'retrieved', 'summary', 'recent', 'current'])
    expect(slotText(context, 'profile')).toContain(profile)
    expect(JSON.stringify(context.messages)).toContain('Ines likes the sea.')
    const sent = Array.from({ length: 14 }, (_, at) => exchange(at)).flat()
    const past = placesIn(context)
      .slice(0, -1)
      .map((at) => `[PAST] ${at % 2 === 0 ? 'User' : 'Assistant'}: ${sent[at]?.content}`)
    expect(historyText(context)).toBe(
      [
        '## Earlier in this conversation',
        '',
        fixed,
        '',
        '## CONVERSATION HISTORY (for context only - do NOT respond to these)',
        ...past,
        '(End of conversation history)',
      ].join('\n'),
    )
    const sections = context.sections.reduce((sum, { tokens }) => sum + tokens, 0)
    expect(context.tokens).toBeGreaterThanOrEqual(sections)
    // Users see what they and the assistant wrote, and nothing else.
    const log = await Array.fromAsync(up.chat.messages())
    expect(log.map(({ role, parts }) => [role, parts.map(textOf).join('')])).toEqual(
      sent.map(({ role, content }) => [role, content]),
    )
    const file = join(import.meta.dirname, '../../package.json')
    const { peerDependenciesMeta } = JSON.parse(readFileSync(file, 'utf8'))
    for (const options of Object.values(peerDependenciesMeta))
      expect(options).toEqual({ optional: true })
  })

  it('S3-022 S3-034: continues with all messages while its model fails, reports it, and has a row once the model answers', async () => {
    let failing = true
    const clock = fakeClock()
    const up = await rows({ clock, faults: () => (failing ? 'refusal' : null) })
    const failed = await talkSlowly(up, { from: 0, to: 14 })
    for (const [index, context] of failed.entries())
      expect(placesIn(context)).toEqual(Array.from({ length: 2 * index + 1 }, (_, at) => at))
    expect(up.server.requests.length).toBeGreaterThan(0)
    expect(await up.chat.summaries()).toEqual([])
    const failures = (await up.chat.events()).filter(({ kind }) => kind === 'summary-failed')
    expect(failures.length).toBeGreaterThan(0)
    failing = false
    // After two failures no model is asked for five minutes.
    clock.set(clock.now() + 5 * 60_000 + 1)
    const later = lastOf(await talkSlowly(up, { from: 14, to: 40 }))
    expect((await up.chat.summaries()).length).toBeGreaterThan(0)
    expect(placesIn(later)[0]).toBeGreaterThan(0)
    expect(slotText(later, 'summary')).toContain('module-0.ts')
  })
})

const conversationTokens = (context: Context) =>
  ['summary', 'earlier', 'recent', 'current'].reduce(
    (sum, kind) => sum + tokensOf(context, kind),
    0,
  )

describe('running-rag', () => {
  it('S4-006 S4-007 S4-015: fits its 2,000 tokens again after each summary, which is a column beside its checkpoint', async () => {
    const folder = testFolder()
    onTestFinished(() => folder.remove())
    const file = folder.file('rag.db')
    const up = await setUp({ policy: 'running-rag', windowTokens: 128_000, store: sqlite(file) })
    await up.chat.append(exchange(0))
    expect(rowsIn(file, 'running_summaries')).toMatchObject([
      { id: 'c', summary: null, last_summarized_msg_id: null },
    ])
    const contexts = await talkSlowly(up, { from: 1, to: 60 })
    const sizes = contexts.map(conversationTokens)
    // It grows above 2,000 for one request, whose summary is written after it.
    const over = sizes.flatMap((size, at) => (size > 2_000 ? [at] : []))
    expect(over.length).toBeGreaterThan(2)
    for (const at of over.slice(0, -1)) expect(sizes[at + 1]).toBeLessThanOrEqual(2_000)
    const [newest] = await up.chat.summaries()
    expect((await up.chat.summaries()).length).toBeGreaterThan(2)
    expect(rowsIn(file, 'running_summaries')).toMatchObject([
      { summary: newest?.text, last_summarized_msg_id: (newest?.covers.to ?? 0) - 1 },
    ])
    expect(placesIn(await up.chat.context({ model }))[0]).toBe(newest?.covers.to)
  })
})

function textOf(part: Context['messages'][number]['parts'][number]): string {
  return part.type === 'text' ? part.text : part.type
}
