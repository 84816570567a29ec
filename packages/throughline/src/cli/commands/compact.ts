/** Compacts a conversation now, or shows what that would do. */
import type { Compacted, ContextInput, Conversation, Preview } from '../../index.ts'
import { type Arguments, type Run, typedCommand } from '../command.ts'
import { type Ending, notDone, type Outcome, type Reply } from '../ending.ts'
import { type FoundHandle, nothingBehind, onHandle } from '../find-conversation.ts'
import { besideWholeLog, type OpenEngine } from '../open-engine.ts'
import { requestOf, withWindow } from '../request-options.ts'
import { wrap } from '../screen/cells.ts'
import { leftAloneText } from '../screen/context-lines.ts'
import { heading, labelled } from '../screen/labelled.ts'
import { counted } from '../screen/numbers.ts'
import { compactedRows, receiptLines } from '../screen/receipt-lines.ts'
import { safeLine, safeText } from '../screen/safe-text.ts'
import { styleOf } from '../screen/style.ts'
import type { World } from '../world.ts'

export const compact: Run = (args, world) =>
  onHandle(
    args,
    world,
    async (found) => {
      nothingBehind(found.rest)
      const instructions = args.text('instructions')
      if (instructions !== null && found.settings.summarizer === null)
        return notDone(
          'REFUSED',
          `instructions are for a model that writes summaries, and none is set: --summarizer openai/gpt-5-mini, or ${typedCommand('config set summarizer NAME', world)}`,
        )
      const request = requestOf(args, found.settings, world)
      const told = instructions === null ? {} : { instructions }
      const asked = { ...found, args, world, request, told }
      return args.has('preview') ? preview(asked) : carryOut(asked)
    },
    { readsAnyway: args.has('preview'), change: withWindow(args) },
  )

interface AskedCompaction extends FoundHandle, OpenEngine {
  readonly args: Arguments
  readonly world: World
  readonly request: ContextInput
  readonly told: { readonly instructions?: string }
}

async function carryOut(asked: AskedCompaction): Promise<Outcome> {
  const { chat, conversation, settings, request, told, args, world } = asked
  // Where rules tell the past a look says whether there is anything to do, and leaves no trace.
  const isIdle = settings.summarizer === null && (await chat.preview(request)).receipt === null
  if (isIdle) return nothingToDo(conversation)
  const [before] = await chat.receipts({ limit: 1 })
  await chat.compact({ afresh: args.has('afresh'), ...told })
  await chat.context(request)
  const [receipt] = await chat.receipts({ limit: 1 })
  if (receipt === undefined || receipt.version === before?.version) return nothingToDo(conversation)
  const shown = args.json ? receipt : await besideWholeLog(receipt, conversation, asked)
  return {
    json: receipt,
    lines: () => [heading(conversation, world.stdout), '', ...receiptLines(shown, world)],
  }
}

function nothingToDo({ id }: Conversation): Ending {
  return notDone('REFUSED', `nothing to compact: all of ${safeLine(id)} is recent or small`)
}

async function preview(asked: AskedCompaction): Promise<Reply> {
  const { chat, conversation, request, told, args, world } = asked
  const seen = await chat.preview({ ...request, ask: args.has('ask'), ...told })
  const { context, ...rest } = seen
  const shown =
    seen.receipt === null || args.json
      ? seen.receipt
      : await besideWholeLog(seen.receipt, conversation, asked)
  return {
    json: { ...rest, tokens: context.tokens, available: context.available },
    lines: () => [
      heading(conversation, world.stdout),
      '',
      ...(shown === null
        ? ['A compaction would change nothing: all of it is recent or small.']
        : previewLines(seen, shown, args, world)),
    ],
  }
}

function previewLines(
  { decision, summary, ledger, files }: Preview,
  receipt: Compacted,
  args: Arguments,
  world: World,
): readonly string[] {
  const { bold, dim } = styleOf(world.stdout)
  const texts = [
    ['summary', summary],
    ['ledger', ledger],
    ['files', files],
  ] as const
  const most = args.has('full') ? Number.POSITIVE_INFINITY : linesShown
  return [
    ...wrap(`Only a look; ${leftAloneText(decision)}`, world.stdout.width).map(dim),
    '',
    ...labelled(compactedRows(receipt, world), world.stdout),
    ...texts
      .filter(([, text]) => text.trim() !== '')
      .flatMap(([title, text]) => {
        const lines = wrap(safeText(text).trim(), world.stdout.width - 2)
        const left = lines.length - most
        return [
          '',
          bold(title),
          ...lines.slice(0, most).map((line) => `  ${line}`.trimEnd()),
          ...(left > 0 ? [dim(`  ${counted(left, 'more line')}: --full`)] : []),
        ]
      }),
  ]
}

const linesShown = 12

/** Takes compactions back. */
export const undo: Run = (args, world) =>
  onHandle(args, world, async ({ chat, conversation, rest }) => {
    nothingBehind(rest)
    const [compactions, model] = [args.number('compactions') ?? 1, args.text('of')]
    const undone = await chat.history.undo({ compactions, ...(model !== null && { model }) })
    if (!undone.ok) {
      const has = undone.failure.kind === 'fewer' ? undone.failure.compactions : 0
      const which = has === 0 ? 'no compaction' : counted(has, 'compaction')
      return notDone('NOT_FOUND', `${safeLine(conversation.id)} has ${which} that can be undone`)
    }
    const { line, model: of } = undone.value
    return {
      json: { conversation: conversation.id, ...undone.value },
      lines: () => [
        line === 0
          ? `Contexts of ${of} show everything again, as far as it fits.`
          : `Contexts of ${of} show messages from #${line} on again.`,
        `None is compacted by itself until ${typedCommand('compact', world)} asks for it.`,
      ],
    }
  })
