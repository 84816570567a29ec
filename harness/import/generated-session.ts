/**
 * Writes a Claude Code session of any size from a seed, line by line: talk, calls and results of very
 * different lengths, sidechain agents, and a few broken lines.
 */

import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { seededFractions } from '../kernel/chance.ts'

export interface GeneratedSession {
  readonly bytes: number
  readonly lines: number
  readonly messages: number
  readonly broken: number
}

const words =
  'barn fence gate sheep goat meadow field path/to/file.ts error value 42 – 羊 "x" \\ ok'.split(' ')

export async function writeSession(
  file: string,
  { bytes, seed }: { readonly bytes: number; readonly seed: number },
): Promise<GeneratedSession> {
  const out = createWriteStream(file)
  const counts = { bytes: 0, lines: 0, messages: 0, broken: 0 }
  const random = seededFractions(seed)
  const pool = textPool(random)
  for (let turn = 0; counts.bytes < bytes; turn += 1) {
    for (const record of turnRecords(turn, random, pool)) {
      const line = `${record}\n`
      counts.bytes += Buffer.byteLength(line)
      counts.lines += 1
      if (record.endsWith('}')) counts.messages += 1
      else counts.broken += 1
      if (!out.write(line)) await once(out, 'drain')
    }
  }
  out.end()
  await once(out, 'close')
  return counts
}

function* turnRecords(turn: number, random: () => number, pool: string): Generator<string> {
  const session = { sessionId: 'generated', isSidechain: false }
  const time = (step: number) =>
    new Date(1_700_000_000_000 + turn * 60_000 + step * 1_000).toISOString()
  const record = (step: number, type: string, message: object, more: object = {}) =>
    JSON.stringify({
      ...session,
      ...more,
      type,
      // Unordered, as real ones are.
      uuid: `${Math.floor(random() * 2 ** 32).toString(16)}-${turn}-${step}`,
      timestamp: time(step),
      message: { role: type, ...message },
    })
  const text = (most: number) => {
    const length = Math.floor(random() ** 3 * most) + 20
    const from = Math.floor(random() * (pool.length - length))
    return pool.slice(from, from + length)
  }
  yield record(0, 'user', { content: text(2_000) })
  const steps = 1 + Math.floor(random() * 5)
  for (let step = 1; step <= steps; step += 1) {
    const id = `call-${turn}-${step}`
    const call = { type: 'tool_use', id, name: 'Read', input: { path: text(60), note: text(300) } }
    yield record(step * 2, 'assistant', {
      id: `answer-${turn}-${step}`,
      content: [{ type: 'thinking', thinking: text(800), signature: 'EqQB' }, call],
    })
    const result = { type: 'tool_result', tool_use_id: id, content: text(24_000) }
    yield record(step * 2 + 1, 'user', { content: [result] })
    // A separate agent whose chain is interleaved with the steps.
    const agent = { isSidechain: true, agentId: `agent-${turn % 500}` }
    if (random() < 0.2) yield record(100 + step, 'assistant', { content: text(4_000) }, agent)
  }
  if (random() < 0.001) yield '{"type":"user","uuid":"broken","message":{"content":"no end'
  yield record(90, 'assistant', { content: [{ type: 'text', text: text(3_000) }] })
}

/** Random words, long enough that excerpts rarely repeat. */
function textPool(random: () => number): string {
  const pieces = Array.from({ length: 40_000 }, () => words[Math.floor(random() * words.length)])
  return pieces.join(' ')
}
