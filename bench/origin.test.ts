import type { TranscriptItem } from 'throughline/transcripts'
import { describe, expect, it } from 'vitest'
import { madeTraffic } from './origin/client-traffic.ts'
import { typedMessage } from './origin/typed-texts.ts'
import { originRows, trafficRows } from './origin.ts'
import type { TranscriptFile } from './transcript-files.ts'

interface Sent {
  readonly role: 'user' | 'assistant' | 'tool'
  readonly content: unknown
  readonly flags?: Readonly<Record<string, true>>
}

/** A made-up session of Claude Code as its reader yields it. */
function file(sent: readonly Sent[]): TranscriptFile {
  const items = sent.map(({ role, content, flags = {} }, line): TranscriptItem => {
    const type = role === 'assistant' ? 'assistant' : 'user'
    const wire = Array.isArray(content) ? content : String(content)
    const [block] = Array.isArray(content) ? content : []
    const parts =
      role === 'tool'
        ? [
            {
              type: 'tool-result' as const,
              callId: block.tool_use_id,
              output: block.content,
              isError: block.is_error,
            },
          ]
        : Array.isArray(content)
          ? [{ type: 'tool-call' as const, callId: block.id, name: block.name, input: block.input }]
          : String(content)
    const raw = JSON.stringify({ type, ...flags, message: { role: type, content: wire } })
    const origin = flags['isMeta'] ? ('application' as const) : undefined
    const message = { role, content: parts, raw, ...(origin && { origin }) }
    return { kind: 'message', conversationId: 'one', message, usage: null, model: null, line }
  })
  return {
    source: 'made',
    name: 'made/one.jsonl',
    items: async function* () {
      yield* items
    },
  }
}

const rejected = (reason: string) =>
  `The user doesn't want to proceed with this tool use. The tool use was rejected (eg. if it was a file edit, the new_string was NOT written to the file). To tell you how to proceed, the user said:\n${reason}`

function session(): readonly Sent[] {
  const sent: Sent[] = [{ role: 'user', content: 'Fix the gate in the north yard today.' }]
  for (let step = 0; step < 60; step += 1) {
    const isRejected = step === 20
    sent.push(
      {
        role: 'assistant',
        content: [
          {
            type: 'tool_use',
            id: `c${step}`,
            name: 'Bash',
            input: { command: `git commit -m "step ${step}"` },
          },
        ],
      },
      {
        role: 'tool',
        content: [
          {
            type: 'tool_result',
            tool_use_id: `c${step}`,
            content: isRejected
              ? rejected('Never commit before the tests pass here.')
              : 'ok '.repeat(200),
            is_error: isRejected,
          },
        ],
      },
    )
    if (step === 30)
      sent.push({
        role: 'user',
        content: 'Continue without asking the user any questions.',
        flags: { isMeta: true },
      })
  }
  return sent
}

describe('bench origin', () => {
  it('finds typed sentences, rejections and text that no person typed', async () => {
    const rows = await originRows([file(session())], [8_192])
    const figure = (unit: string, method = 'throughline') =>
      rows.find((row) => row.unit === unit && row.method === method)
    expect(figure('false user entries')).toMatchObject({ value: 0 })
    expect(figure('typed sentences held')?.value).toBe(1)
    expect(figure('refused calls shown as done')).toMatchObject({ value: 0, n: 5 })
    // Without its flag, nothing marks that sentence as the client's.
    expect(figure('false user entries', 'throughline, without flags')?.value).toBeGreaterThan(0)
  })

  it('recognizes what clients insert into user messages, and finds a wrong origin', async () => {
    const traffic = madeTraffic('2', 5)
    expect((await trafficRows(traffic)).map(({ value }) => value)).toEqual(Array(8).fill(0))
    const unknown = traffic.map((made) => ({ ...made, typed: made.typed.map(() => []) }))
    expect((await trafficRows(unknown))[0]?.value).toBeGreaterThan(50)
  })

  it('takes the truth from the raw records', () => {
    const of = (content: unknown, flags = {}) =>
      typedMessage({
        role: 'user',
        content: '',
        raw: JSON.stringify({ type: 'user', ...flags, message: { content } }),
      })
    expect(of('Fix it').typed).toEqual(['Fix it'])
    expect(of('Fix it', { isMeta: true }).typed).toEqual([])
    expect(of('<command-name>/exit</command-name>').typed).toEqual([])
    expect(of([{ type: 'tool_result', tool_use_id: 'c', content: rejected('Use tabs') }])).toEqual({
      typed: ['Use tabs'],
      rejected: ['c'],
    })
  })
})
