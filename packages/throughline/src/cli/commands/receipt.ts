/** Shows the receipts of compactions. */
import type { Conversation, Receipt } from '../../index.ts'
import { loadReceipts } from '../../stores/index.ts'
import { type Arguments, commandOn, type Run } from '../command.ts'
import { failWith, UsageError } from '../exit-result.ts'
import { withConversation } from '../find-conversation.ts'
import type { OpenEngine } from '../open-engine.ts'
import { reasonText } from '../screen/context-lines.ts'
import { titled } from '../screen/labelled.ts'
import { ago, grouped } from '../screen/numbers.ts'
import { receiptLines } from '../screen/receipt-lines.ts'
import { safeLine } from '../screen/safe-text.ts'
import { drawTable } from '../screen/table.ts'
import type { World } from '../world.ts'

export const receipt: Run = (args, world) =>
  withConversation(args, world, async ({ store, conversation, rest }) => {
    const { id } = conversation
    const number = numberIn(rest)
    const most = args.has('all') || number !== null ? receiptsMost : 1
    const all = (await loadReceipts(store, { id, limit: most, before: null })) ?? []
    const shown = number === null ? all : all.filter(({ version }) => version === number)
    const [newest] = shown
    if (newest === undefined) {
      const problem =
        number === null
          ? `${safeLine(id)} has no compactions yet; ${commandOn(id, 'compact', world)} does one`
          : `${safeLine(id)} has no receipt ${number}; ${commandOn(id, 'receipt', world, ' --all')} lists them`
      return failWith('NOT_FOUND', problem)
    }
    if (args.has('all')) {
      const lines = () => titled(conversation, tableOf(shown, world), world.stdout)
      return { json: { receipts: shown }, lines }
    }
    const isComplete = args.json || newest.tokensBefore !== null
    const complete = isComplete ? newest : await withCount(newest, conversation, args, world)
    const lines = () => titled(conversation, receiptLines(complete, world), world.stdout)
    return { json: newest, lines }
  })

const receiptsMost = 200

/** The engine counts the messages if the receipt has no size before the compaction. */
async function withCount(newest: Receipt, of: Conversation, args: Arguments, world: World) {
  const { withTokensBefore, withEngine } = await import('../open-engine.ts')
  const count = (open: OpenEngine) => withTokensBefore(newest, of, open)
  return withEngine(args, world, count, { dryRun: true })
}

function numberIn([word, extra]: readonly string[]): number | null {
  if (word === undefined) return null
  if (extra !== undefined || !/^\d{1,15}$/.test(word))
    throw new UsageError('a receipt is named by its number; --all lists them')
  return Number(word)
}

function tableOf(receipts: readonly Receipt[], { stdout, now }: World): readonly string[] {
  const columns = [
    { title: 'number', align: 'right' },
    { title: 'when', narrow: 'leaves' },
    { title: 'why', shrinks: true },
    { title: 'replaced', narrow: 'leaves' },
    { title: 'tokens before', align: 'right' },
    { title: 'after', align: 'right' },
    { title: 'written by', narrow: 'leaves' },
  ] as const
  const dash = stdout.unicode ? '–' : '-'
  const rows = receipts.map(({ version, at, cause, line, tokensBefore, tokensAfter, madeBy }) => [
    String(version),
    ago(at, now()),
    reasonText(cause),
    line === 0 ? 'none' : `#0${dash}#${line - 1}`,
    tokensBefore === null ? '-' : grouped(tokensBefore),
    grouped(tokensAfter),
    line === 0 ? '-' : 'model' in madeBy ? madeBy.model : 'rules',
  ])
  return drawTable(columns, rows, stdout)
}
