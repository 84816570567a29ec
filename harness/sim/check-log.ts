/**
 * The log against what was acknowledged: there, once, in its place, to the byte (invariants 1, 5,
 * 16 to 20), with the pins that it should have and events without a gap.
 */
import { createHash } from 'node:crypto'
import type { ConversationHandle, Message, MessageInput } from 'throughline'
import type { Finding } from '../kernel/finding.ts'
import { type ExpectedLog, newMessage, saidIn } from './expected.ts'

const chainStart = '0'.repeat(64)

export async function checkLog(
  chat: ConversationHandle,
  log: ExpectedLog,
): Promise<readonly Finding[]> {
  const info = await chat.info()
  const stored = await Array.fromAsync(chat.messages())
  const findings: Finding[] = []
  const note = (rule: string, detail: string) =>
    findings.push({ rule, detail: `"${log.id}": ${detail}` })
  adoptDoubtful(log, stored, note)
  const hole = Array.from(log.messages).indexOf(undefined as never)
  if (hole !== -1) {
    note('places', `nobody has #${hole}, and somebody has #${log.messages.length - 1}`)
    return findings
  }
  if (info === null) {
    if (log.messages.length > 0) note('lost', `all of ${log.messages.length} messages`)
    return findings
  }
  if (info.head !== stored.length) note('places', `head ${info.head}, ${stored.length} messages`)
  if (stored.length !== log.messages.length)
    note(
      stored.length < log.messages.length ? 'lost' : 'doubled',
      `${stored.length} messages, where ${log.messages.length} were acknowledged`,
    )
  let chain = chainStart
  for (const [seq, message] of stored.entries()) {
    const expected = log.messages[seq]
    chain = createHash('sha256')
      .update(chain + message.hashes.canonical)
      .digest('hex')
    if (message.hashes.chain !== chain) note('chain', `#${seq}`)
    if (message.seq !== seq) note('places', `#${message.seq} stands at ${seq}`)
    if (expected === undefined) continue
    const removed = message.marks.some(({ kind }) => kind === 'removed')
    const wanted = JSON.stringify([
      expected.input.role,
      saidIn(expected.input.content),
      expected.removed,
    ])
    const found = JSON.stringify([
      message.role,
      saidIn(message.parts as MessageInput['content']),
      removed,
    ])
    if (wanted !== found)
      note('bytes', `#${seq} is ${found.slice(0, 160)}, and not ${wanted.slice(0, 160)}`)
  }
  if (info.chain !== chain) note('chain', 'of the conversation')
  findings.push(...(await checkOriginal(chat, log)))
  const pins = [...log.pins].sort((left, right) => left - right)
  if (JSON.stringify(info.pins) !== JSON.stringify(pins))
    note('pins', `${JSON.stringify(info.pins)}, and not ${JSON.stringify(pins)}`)
  if (info.version < log.version) note('version', `from ${log.version} back to ${info.version}`)
  if (log.moved && info.version === log.version) note('version', `still ${log.version}`)
  log.moved = false
  log.version = info.version
  findings.push(...(await checkEvents(chat, log)))
  return findings
}

/** An append that nobody has answered stands there whole, or not at all. */
function adoptDoubtful(
  log: ExpectedLog,
  stored: readonly Message[],
  note: (rule: string, detail: string) => void,
): void {
  const textOf = ({ role, parts }: Message) =>
    JSON.stringify([role, saidIn(parts as MessageInput['content'])])
  for (const batch of log.doubtful) {
    const wanted = batch.map(({ role, content }) => JSON.stringify([role, saidIn(content)]))
    const at = stored.findIndex(
      (message, seq) => log.messages[seq] === undefined && textOf(message) === wanted[0],
    )
    if (at === -1) continue
    if (wanted.some((text, index) => textOf(stored[at + index] as Message) !== text))
      note('torn', `an append at #${at} is not there whole`)
    for (const [index, input] of batch.entries()) log.messages[at + index] = newMessage(input)
  }
  log.doubtful = []
}

/** The newest that has one, as it was handed in. */
async function checkOriginal(
  chat: ConversationHandle,
  { id, messages }: ExpectedLog,
): Promise<readonly Finding[]> {
  const seq = messages.findLastIndex(({ input }) => input.raw !== undefined)
  const raw = messages[seq]?.input.raw
  if (raw === undefined) return []
  const bytes = await chat.original(seq)
  const isSame = bytes !== null && Buffer.from(bytes).equals(Buffer.from(raw as string))
  return isSame ? [] : [{ rule: 'original', detail: `"${id}" #${seq}` }]
}

async function checkEvents(
  chat: ConversationHandle,
  log: ExpectedLog,
): Promise<readonly Finding[]> {
  const events = await chat.events({ limit: 100_000 })
  const lines = events.map((event) => JSON.stringify(event))
  const findings: Finding[] = []
  if (events.some(({ number }, index) => number !== index + 1))
    findings.push({ rule: 'events', detail: `"${log.id}": ${events.map(({ number }) => number)}` })
  const changed = log.events.findIndex((line, index) => lines[index] !== line)
  if (changed !== -1)
    findings.push({
      rule: 'events',
      detail: `"${log.id}": number ${changed + 1} is another one now`,
    })
  log.events = lines
  return findings
}
