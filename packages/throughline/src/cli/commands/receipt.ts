/** What compactions did. */
import type { Conversation, Receipt } from '../../index.ts'
import { loadReceipts } from '../../stores/index.ts'
import { type Arguments, type Run, typedCommand } from '../command.ts'
import { notDone, WrongUsage } from '../ending.ts'
import { onStored } from '../find-conversation.ts'
import type { OpenEngine } from '../open-engine.ts'
import { titled } from '../screen/labelled.ts'
import { ago, grouped } from '../screen/numbers.ts'
import { receiptLines } from '../screen/receipt-lines.ts'
import { safeLine } from '../screen/safe-text.ts'
import { drawTable } from '../screen/table.ts'
import type { World } from '../world.ts'

export const receipt: Run = (args, world) =>
  onStored(args, world, async ({ store, conversation, rest }) => {
    const { id } = conversation
    const number = numberIn(rest)
    const most = args.has('all') || number !== null ? receiptsMost : 1
    const all = (await loadReceipts(store, { id, limit: most, before: null })) ?? []
    const shown = number === null ? all : all.filter(({ version }) => version === number)
    const [newest] = shown
    if (newest === undefined) {
      const problem =
        number === null
          ? `${safeLine(id)} was never compacted; ${typedCommand('compact', world)} does it`
          : `there is no receipt ${number}; ${typedCommand('receipt --all', world)} lists them`
      return notDone('NOT_FOUND', problem)
    }
    if (args.has('all')) {
      const lines = () => titled(conversation, tableOf(shown, world), world.stdout)
      return { json: { receipts: shown }, lines }
    }
    const told = args.json ? newest : await withSaving(newest, conversation, args, world)
    return {
      json: newest,
      lines: () => titled(conversation, receiptLines(told, world), world.stdout),
    }
  })

const receiptsMost = 200

/** Where the saving is not known, the engine counts the messages. */
async function withSaving(
  newest: Receipt,
  conversation: Conversation,
  args: Arguments,
  world: World,
): Promise<Receipt> {
  if (newest.tokensBefore !== null) return newest
  const { besideWholeLog, withEngine } = await import('../open-engine.ts')
  const count = (open: OpenEngine) => besideWholeLog(newest, conversation, open)
  return withEngine(args, world, count, { onlyLooks: true })
}

function numberIn([word, extra]: readonly string[]): number | null {
  if (word === undefined) return null
  if (extra !== undefined || !/^\d{1,15}$/.test(word))
    throw new WrongUsage('a receipt is named by its number; --all lists them')
  return Number(word)
}

function tableOf(receipts: readonly Receipt[], { stdout, now }: World): readonly string[] {
  const columns = [
    { title: 'receipt', align: 'right' },
    { title: 'when', narrow: 'leaves' },
    { title: 'why', shrinks: true },
    { title: 'line', align: 'right', narrow: 'leaves' },
    { title: 'before', align: 'right' },
    { title: 'after', align: 'right' },
    { title: 'told by', narrow: 'leaves' },
  ] as const
  const rows = receipts.map(({ version, at, cause, line, tokensBefore, tokensAfter, madeBy }) => [
    String(version),
    ago(at, now()),
    cause,
    `#${line}`,
    tokensBefore === null ? '' : grouped(tokensBefore),
    grouped(tokensAfter),
    'model' in madeBy ? madeBy.model : 'rules',
  ])
  return drawTable(columns, rows, stdout)
}
