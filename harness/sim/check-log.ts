/**
 * Compares the log with what was acknowledged: present, once, at its position, byte for byte (invariants
 * 1, 5, 16 to 20), with the expected pins and without gaps in the events.
 */
import { createHash } from 'node:crypto'
import type { ConversationHandle, KeptSummary, Message, MessageInput, Store } from 'throughline'
import { rememberedTurns, turnMemory } from 'throughline/turns'
import { servedDerived, servedLog, tenantIn } from '../history/check-rewrite.ts'
import type { Finding } from '../kernel/finding.ts'
import { auditSummaries } from '../races/audit.ts'
import { type ExpectedLog, newMessage, partTexts } from './expected.ts'
import { failuresWord, liesWord } from './sim-model.ts'
import { wordsIn } from './step-append.ts'

const chainStart = '0'.repeat(64)

/** A hash of the segments before, and one of the messages in the segment. */
function nextChain(chain: string, canonical: string, seq: number): string {
  if (seq % 1024 === 0) return sha256(chain) + sha256(canonical)
  return chain.slice(0, 64) + sha256(chain.slice(64) + canonical)
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

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
    note('places', `#${hole} is missing, although #${log.messages.length - 1} was acknowledged`)
    return findings
  }
  if (info === null) {
    if (log.messages.length > 0) note('lost', `all ${log.messages.length} messages`)
    return findings
  }
  if (info.head !== stored.length) note('places', `head ${info.head}, ${stored.length} messages`)
  if (stored.length !== log.messages.length)
    note(
      stored.length < log.messages.length ? 'lost' : 'doubled',
      `${stored.length} messages, but ${log.messages.length} were acknowledged`,
    )
  let chain = chainStart
  for (const [seq, message] of stored.entries()) {
    const expected = log.messages[seq]
    chain = nextChain(chain, message.hashes.canonical, seq)
    if (message.hashes.chain !== chain) note('chain', `#${seq}`)
    if (message.seq !== seq) note('places', `#${message.seq} is at ${seq}`)
    if (expected === undefined) continue
    const removed = message.marks.some(({ kind }) => kind === 'removed')
    const wanted = JSON.stringify([
      expected.input.role,
      partTexts(expected.input.content),
      expected.removed,
    ])
    const found = JSON.stringify([
      message.role,
      partTexts(message.parts as MessageInput['content']),
      removed,
    ])
    if (wanted !== found)
      note('bytes', `#${seq} is ${found.slice(0, 160)}, not ${wanted.slice(0, 160)}`)
  }
  if (info.chain !== chain) note('chain', 'of the conversation')
  findings.push(...(await checkOriginal(chat, log)))
  const pins = [...log.pins].sort((left, right) => left - right)
  if (JSON.stringify(info.pins) !== JSON.stringify(pins))
    note('pins', `${JSON.stringify(info.pins)}, not ${JSON.stringify(pins)}`)
  if (info.version < log.version) note('version', `from ${log.version} back to ${info.version}`)
  if (log.moved && info.version === log.version) note('version', `still ${log.version}`)
  log.moved = false
  log.version = info.version
  findings.push(...(await checkEvents(chat, log)))
  return findings
}

/** An unacknowledged append is stored whole or not at all. */
function adoptDoubtful(
  log: ExpectedLog,
  stored: readonly Message[],
  note: (rule: string, detail: string) => void,
): void {
  const textOf = ({ role, parts }: Message) =>
    JSON.stringify([role, partTexts(parts as MessageInput['content'])])
  for (const batch of log.doubtful) {
    const wanted = batch.map(({ role, content }) => JSON.stringify([role, partTexts(content)]))
    const at = stored.findIndex(
      (message, seq) => log.messages[seq] === undefined && textOf(message) === wanted[0],
    )
    if (at === -1) continue
    if (wanted.some((text, index) => textOf(stored[at + index] as Message) !== text))
      note('torn', `an append at #${at} is not stored whole`)
    for (const [index, input] of batch.entries()) log.messages[at + index] = newMessage(input)
  }
  log.doubtful = []
}

/** The newest original equals what was given. */
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
      detail: `"${log.id}": event ${changed + 1} has changed`,
    })
  log.events = lines
  return findings
}

/** Derived rows: no text that is gone, no lie, no failure, no gap in turns and receipts. */
export async function checkDerived(
  chat: ConversationHandle,
  store: Store,
  log: ExpectedLog,
): Promise<readonly Finding[]> {
  const findings: Finding[] = []
  const note = (rule: string, detail: string) =>
    findings.push({ rule, detail: `"${log.id}": ${detail}` })
  if (log.gone.size > 0) {
    const tenant = tenantIn(store)
    const served = [await servedLog(tenant, chat.id), await servedDerived(tenant, chat.id)]
    for (const word of wordsIn(served))
      if (log.gone.has(word)) note('gone', `${word} is still stored`)
  }
  const summaries = await chat.summaries({ limit: 100 })
  // Text that the gate removed is in the account of the summary.
  const texts = JSON.stringify(summaries.map(({ account: _, ...summary }) => summary))
  for (const word of [liesWord, failuresWord])
    if (texts.includes(word)) note('believed', `${word} in a summary`)
  findings.push(...(await checkSummaries(chat, summaries, log)))
  const turns = await rememberedTurns(chat, { limit: 1_000 })
  if (turns.some(({ turn }, index) => turn !== turns.length - index))
    note('turns', `${turns.map(({ turn }) => turn)}`)
  let from = Number.POSITIVE_INFINITY
  for (const { messages } of turns) {
    if (messages.to > from) note('turns', `#${messages.to} is remembered twice`)
    from = messages.from
  }
  if (turns.length < log.remembered) note('turns', `${turns.length} of ${log.remembered}`)
  log.remembered = turns.length
  findings.push(...(await checkLines(chat, log)))
  const receipts = await chat.receipts({ limit: 200 })
  const finished = (await chat.events({ limit: 100_000 })).flatMap((event) =>
    event.kind === 'compaction-finished' ? [event.receipt] : [],
  )
  const versions = receipts.map(({ version }) => version)
  if (
    versions.some((version) => !finished.includes(version)) ||
    new Set(versions).size < versions.length
  )
    note('receipts', `${versions}, but the events have ${finished}`)
  // Rewriting messages removes the receipts that mention them.
  if (log.gone.size === 0 && versions.length < Math.min(200, finished.length))
    note('receipts', `${versions.length} of ${finished.length}`)
  return findings
}

/** Each summary covers the log from its start and continues where its parent ends (invariant 2). */
async function checkSummaries(
  chat: ConversationHandle,
  summaries: readonly KeptSummary[],
  { id, gone, isFork }: ExpectedLog,
): Promise<readonly Finding[]> {
  if (summaries.length === 0) return []
  const messages = await Array.fromAsync(chat.messages())
  const found = auditSummaries({ summaries, log: messages, commits: [], calls: [] })
  // A parent may belong to the source of a fork, or be gone with its text; after an undo, the same
  // messages are summarized again.
  const isWhole = gone.size === 0 && !isFork
  return found
    .filter(({ rule }) => rule === 'covers' || (rule === 'chain' && isWhole))
    .map(({ rule, detail }) => ({ rule: 'summary', detail: `"${id}": ${rule}: ${detail}` }))
}

/** The history lines tile the turns that are not shown in full (invariant 24). */
async function checkLines(
  chat: ConversationHandle,
  { id }: ExpectedLog,
): Promise<readonly Finding[]> {
  const { history, recentTurns } = await turnMemory(chat)
  let next = 1
  for (const { from, to } of history) {
    if (from !== next || to <= from)
      return [{ rule: 'turns', detail: `"${id}": a line of ${from} to ${to} after ${next}` }]
    next = to
  }
  const first = recentTurns[0]?.turn ?? next
  return first <= next ? [] : [{ rule: 'turns', detail: `"${id}": ${first} after ${next}` }]
}
