/** What was derived: nothing in it of words that are gone, no lie, no failure, turns and receipts without a gap. */
import type { ConversationHandle, KeptSummary, Store } from 'throughline'
import { rememberedTurns, turnMemory } from 'throughline/turns'
import { tenantIn } from '../history/check-rewrite.ts'
import { servedDerived, servedLog } from '../history/served.ts'
import type { Finding } from '../kernel/finding.ts'
import { auditSummaries } from '../races/audit-summaries.ts'
import { wordsIn } from './drawn-messages.ts'
import type { ExpectedLog } from './expected.ts'
import { failuresWord, liesWord } from './sim-model.ts'

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
    for (const word of wordsIn(served)) if (log.gone.has(word)) note('gone', `${word} is served`)
  }
  const summaries = await chat.summaries({ limit: 100 })
  // What the gate took out is told in their accounts.
  const told = JSON.stringify(summaries.map(({ account: _, ...summary }) => summary))
  for (const word of [liesWord, failuresWord])
    if (told.includes(word)) note('believed', `${word} in a summary`)
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
    note('receipts', `${versions}, where events tell of ${finished}`)
  // Whoever rewrites messages takes the receipts along that tell of them.
  if (log.gone.size === 0 && versions.length < Math.min(200, finished.length))
    note('receipts', `${versions.length} of ${finished.length}`)
  return findings
}

/** Each tells the log from its beginning and goes on where its parent ends (invariant 2). */
async function checkSummaries(
  chat: ConversationHandle,
  summaries: readonly KeptSummary[],
  { id, gone, isFork }: ExpectedLog,
): Promise<readonly Finding[]> {
  if (summaries.length === 0) return []
  const messages = await Array.fromAsync(chat.messages())
  const found = auditSummaries({ summaries, log: messages, commits: [], calls: [] })
  // A parent may be its source's, or have gone with words that it told; the same is told again behind an undo.
  const isWhole = gone.size === 0 && !isFork
  return found
    .filter(({ rule }) => rule === 'covers' || (rule === 'chain' && isWhole))
    .map(({ rule, detail }) => ({ rule: 'summary', detail: `"${id}": ${rule}: ${detail}` }))
}

/** Lines of the history tile the turns that are not shown in full (invariant 24). */
async function checkLines(
  chat: ConversationHandle,
  { id }: ExpectedLog,
): Promise<readonly Finding[]> {
  const { history, recentTurns } = await turnMemory(chat)
  let next = 1
  for (const { from, to } of history) {
    if (from !== next || to <= from)
      return [{ rule: 'turns', detail: `"${id}": a line of ${from} to ${to} behind ${next}` }]
    next = to
  }
  const first = recentTurns[0]?.turn ?? next
  return first <= next ? [] : [{ rule: 'turns', detail: `"${id}": ${first} behind ${next}` }]
}
