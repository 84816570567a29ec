import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createThroughline, type MessageInput } from 'throughline'
import { sqlite } from 'throughline/stores/sqlite'
import { afterAll, expect, it } from 'vitest'

const folder = mkdtempSync(join(tmpdir(), 'throughline-two-'))
afterAll(() => rmSync(folder, { recursive: true }))

const card = { id: 'small', contextWindowTokens: 6_000, tokenizer: 'o200k_base' } as const
const policy = {
  name: 'watched',
  triggers: [
    { kind: 'tokenRatio', at: 0.7, reset: 0.5, of: 'available' },
    { kind: 'turns', since: 25 },
    { kind: 'periodic', messages: 90 },
  ],
  advanced: { guards: { cooldownMessages: 6, minMessages: 8 } },
} as const

/** Questions, calls and pages of results, some of them long; the same each time. */
function turn(index: number): readonly MessageInput[] {
  const callId = `call-${index}`
  const lines = (index * 7) % 40
  return [
    { role: 'user', content: `Question ${index}: what stands in file ${index % 9}?` },
    {
      role: 'assistant',
      content: [{ type: 'tool-call', callId, name: 'read', input: { path: `${index % 9}.txt` } }],
    },
    {
      role: 'tool',
      content: [{ type: 'tool-result', callId, output: `line of ${index}\n`.repeat(lines + 1) }],
    },
    { role: 'assistant', content: `It has ${lines + 1} lines.` },
  ]
}

/** The decisions of each turn, when several engines alternate on one file. */
async function decisions(engines: number, turns: number): Promise<readonly string[]> {
  const file = join(folder, `${engines}.db`)
  // Recalled text has the time of its message.
  const clock = { now: () => 1_700_000_000_000 }
  const open = () => createThroughline({ store: sqlite(file), models: [card], policy, clock })
  const opened = Array.from({ length: engines }, open)
  const decided: string[] = []
  for (let index = 0; index < turns; index += 1) {
    const chat = opened[index % engines]?.conversation('shared')
    if (chat === undefined) throw new Error('there is an engine for every turn')
    const [question, ...rest] = turn(index)
    await chat.append(question as MessageInput)
    const { decision, epoch, fingerprint, brokenBy } = await chat.context({ model: 'small' })
    decided.push(JSON.stringify({ ...decision, epoch, fingerprint, brokenBy }))
    await chat.append(rest, {
      usage: { inputTokens: 1_000 + (decision.figures.tokens ?? 0) },
      of: fingerprint,
    })
    if (index === turns / 2) await chat.compactNextRequest()
  }
  for (const engine of opened) await engine.close()
  return decided
}

// A thousand with `--mode whole`.
const turns = process.env['MODE'] === 'whole' ? 1_000 : 120

it(`U-002 two engines on one file decide as one does, for ${turns} turns`, async () => {
  const one = await decisions(1, turns)
  const two = await decisions(2, turns)
  expect(two).toEqual(one)
  const reasons = new Set(one.map((decided) => (JSON.parse(decided) as { reason: string }).reason))
  expect([...reasons].sort()).toEqual(expect.arrayContaining(['below', 'manual', 'tokenRatio']))
  expect(one.filter((decided) => decided.includes('"kind":"compact"')).length).toBeGreaterThan(20)
}, 300_000)
