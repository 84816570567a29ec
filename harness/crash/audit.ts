/** Looks at a database after a kill, through the public door, and says what is wrong with it. */
import { createThroughline, type Message } from 'throughline'
import { sqlite } from 'throughline/stores/sqlite'
import { integrity } from '../../packages/throughline/test/stores/sqlite-file.ts'
import type { Finding } from '../kernel/finding.ts'

export interface Audit {
  readonly messages: number
  readonly findings: readonly Finding[]
}

/** Turns up to and with `acknowledged` must be there, each once and whole. */
export async function audit(file: string, acknowledged: number): Promise<Audit> {
  const findings: Finding[] = []
  const broken = (detail: string) => findings.push({ rule: 'broken', detail })
  const verdict = integrity(file)
  if (verdict !== 'ok') broken(`integrity: ${verdict}`)
  const tl = createThroughline({ store: sqlite(file) })
  const turns = new Map<number, string[]>()
  let messages = 0
  for (const id of ['left', 'right']) {
    let expected = 0
    for await (const message of tl.conversation(id).messages()) {
      if (message.seq !== expected) broken(`${id}: place ${message.seq}, not ${expected}`)
      if (message.marks.length > 0) broken(`${message.id}: a result without its call`)
      expected += 1
      messages += 1
      const turn = turnOf(message)
      turns.set(turn, [...(turns.get(turn) ?? []), message.role])
    }
    const events = await tl.conversation(id).events({ limit: 1_000_000 })
    if (events.some((event, index) => event.number !== index + 1))
      broken(`${id}: events have a gap`)
    const told = events.flatMap((event) =>
      event.kind === 'messages-appended' ? [event.span.to] : [],
    )
    if ((told.at(-1) ?? 0) !== expected)
      broken(`${id}: events end at ${told.at(-1)}, not ${expected}`)
  }
  await tl.close()

  const wanted = Array.from({ length: acknowledged + 1 }, (_, turn) => turn)
  const roles = [...turns.values()].map((found) => found.join())
  const whole = 'user,assistant,tool'
  const wrong = {
    lost: wanted.filter((turn) => !turns.has(turn)).length,
    duplicates: roles.filter((found) => found.split(whole).length > 2).length,
    torn: roles.filter((found) => found.replaceAll(whole, '').replaceAll(',', '') !== '').length,
  }
  for (const [rule, count] of Object.entries(wrong))
    if (count > 0) findings.push({ rule, detail: `${count} turns` })
  return { messages, findings }
}

function turnOf(message: Message): number {
  const [part] = message.parts
  if (part?.type === 'tool-call') return Number(part.callId.slice('call-'.length))
  if (part?.type === 'tool-result') return Number(part.callId.slice('call-'.length))
  return Number(part?.type === 'text' ? part.text.split(' ')[1] : Number.NaN)
}
