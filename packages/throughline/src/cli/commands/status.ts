/** Shows the status of a conversation (size of its last request, omissions) or of the store. */
import { existsSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Conversation, Receipt, Status } from '../../index.ts'
import { loadReceipts } from '../../stores/index.ts'
import { statusOf } from '../../toolkit/index.ts'
import { type Arguments, commandOn, type Run, typedCommand } from '../command.ts'
import type { Outcome, Reply } from '../exit-result.ts'
import {
  allConversations,
  lastActivity,
  refuseExtraWords,
  withConversation,
} from '../find-conversation.ts'
import { withStore } from '../open-store.ts'
import { warnOfUnknownModel } from '../request-options.ts'
import { savedIn, savedText } from '../saved-tokens.ts'
import { breakText, decisionText, omittedRows } from '../screen/context-lines.ts'
import { type LabelledRow, labelled, meterRow, titled } from '../screen/labelled.ts'
import { ago, bytes, counted, grouped, percent } from '../screen/numbers.ts'
import { safeLine } from '../screen/safe-text.ts'
import { styleOf } from '../screen/style.ts'
import { policyName } from '../settings/setting-fields.ts'
import { defaultStore } from '../settings/setting-files.ts'
import type { World } from '../world.ts'

export const status: Run = (args, world) =>
  args.positionals.length === 0 && !args.has('last')
    ? storeStatus(args, world)
    : conversationStatus(args, world)

function conversationStatus(args: Arguments, world: World): Promise<Outcome> {
  return withConversation(args, world, async ({ store, conversation, rest, settings }) => {
    refuseExtraWords(rest)
    const { id, head, pins, compaction } = conversation
    const found = await statusOf(store, id)
    warnOfUnknownModel(found.last?.model ?? settings.model, settings, world)
    const [receipt = null] = (await loadReceipts(store, { id, limit: 1, before: null })) ?? []
    const lastAt = await lastActivity(store, conversation)
    const mode = compaction.mode ?? settings.compaction
    const saved = await savedIn(store, [id])
    const lastReceipt =
      receipt &&
      `${ago(receipt.at, world.now())}: compacted to ${grouped(receipt.tokensAfter)} tokens${isUndone(receipt, conversation) ? ' (undone)' : ''}`
    const rows = (): readonly LabelledRow[] => [
      ['messages', `${grouped(head)}, the last one ${ago(lastAt, world.now())}`],
      ['auto-compaction', compactionText(mode, conversation, world)],
      ['pins', pins.map((seq) => `#${seq}`).join(', ') || null],
      ...requestRows(found, conversation, world),
      ['saved', savedText(saved)],
      ['last receipt', lastReceipt],
    ]
    return {
      json: { ...found, compaction: mode, lastAt, receipt, saved },
      lines: () => titled(conversation, labelled(rows(), world.stdout), world.stdout),
    }
  })
}

/** An undo keeps the version that it left; receipts up to it are undone. */
function isUndone({ model, version }: Receipt, { compaction }: Conversation): boolean {
  return compaction.suspended.some((each) => each.model === model && version <= each.version)
}

function compactionText(mode: string, { id, compaction }: Conversation, world: World): string {
  const { asked, suspended } = compaction
  const own = compaction.mode === null ? '' : ', set for this conversation'
  const due = asked === null ? '' : '; a compaction is due with the next request'
  if (suspended.length === 0) return `${mode}${own}${due}`
  const models = suspended.map(({ model }) => safeLine(model)).join(', ')
  const again = commandOn(id, 'compact', world)
  return `off for ${models} since an undo; ${again} compacts and turns it back on${due}`
}

function requestRows(found: Status, { id }: Conversation, world: World): readonly LabelledRow[] {
  const { last, totals } = found
  if (last === null) {
    const how = `${commandOn(id, 'context', world)} shows what the first one would contain`
    return [['contexts built', `none yet; ${how}`]]
  }
  const { stdout, now } = world
  const { model, at, decision, utilization, availableTokens, stubbed, leftOut } = last
  const { requests, compactions, averageUtilization, breaks } = totals
  const figures = `${percent(utilization)} of ${grouped(availableTokens)} tokens`
  const full = `${percent(averageUtilization)} full on average`
  const built = requests < 100 ? grouped(requests) : 'the last 100'
  const causes = Object.entries(breaks).map(([cause, times]) => `${breakText(cause)} ${times}`)
  const how = [model, ago(at, now()), decisionText(decision, leftOut)]
  return [
    ['last context', how.join(` ${styleOf(stdout).dot} `)],
    ['', meterRow(utilization, figures, stdout)],
    ...omittedRows(leftOut, stubbed),
    ['contexts built', `${built}: ${full}, ${counted(compactions, 'compaction')}`],
    ['cache lost by', causes.join(', ') || null],
  ]
}

/** Whose requests are read for what was saved. */
const newestRead = 20

function storeStatus(args: Arguments, world: World): Promise<Reply> {
  return withStore(args, world, async ({ store, settings, exists }) => {
    let [conversations, messages] = [0, 0]
    for await (const conversation of allConversations(store)) {
      world.signal.throwIfAborted()
      conversations += 1
      messages += conversation.head
    }
    const newest = await store.list({ by: 'latest', limit: newestRead })
    const [latest] = newest
    const saved = await savedIn(
      store,
      newest.map(({ conversation }) => conversation.id),
    )
    const { store: file, tenant, model, policy, compaction, summarizer } = settings
    warnOfUnknownModel(model, settings, world)
    const sizeBytes = statSync(file, { throwIfNoEntry: false })?.size ?? 0
    const named = policyName(policy)
    const lastAt = latest?.lastAt ?? null
    const savedRow = savedText(saved)
    const from = newest.length < newestRead ? '' : ` of the newest ${newestRead} conversations`
    const ofGateway = join(dirname(defaultStore(world)), 'server', 'conversations.db')
    const gateway = ofGateway !== file && existsSync(ofGateway) ? ofGateway : null
    const storeFields = { store: file, sizeBytes, tenant, conversations, messages, lastAt }
    const amounts = `${counted(conversations, 'conversation')}, ${counted(messages, 'message')}, ${bytes(sizeBytes)}`
    const rows = (): readonly LabelledRow[] => [
      ['contains', exists ? amounts : 'nothing: no store at this path yet'],
      ['last message', lastAt === null ? null : ago(lastAt, world.now())],
      ['saved', savedRow && savedRow + from],
      ['tenant', tenant === 'default' ? null : tenant],
      ['model', model],
      ['policy', `${named}, auto-compaction ${compaction}`],
      ['summaries', summarizer === null ? 'by rules (no LLM)' : `by ${summarizer}`],
      ['gateway', gateway && typedCommand(`status --store ${gateway}`, world)],
    ]
    const firstSteps = [
      '',
      `Import a conversation: ${typedCommand('import FILE', world)}`,
      `or start one: ${typedCommand('chat', world)}`,
    ]
    return {
      json: { ...storeFields, saved, gateway, model, policy: named, compaction, summarizer },
      lines: () => [
        styleOf(world.stdout).bold(file),
        '',
        ...labelled(rows(), world.stdout),
        ...(conversations === 0 ? firstSteps : []),
      ],
    }
  })
}
