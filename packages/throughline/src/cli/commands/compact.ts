/** Compacts a conversation now, or shows what that would do. */
import type { Compacted, CompactFailure, ContextInput, Preview } from '../../index.ts'
import { type Arguments, type Run, typedCommand } from '../command.ts'
import { notDone, type Outcome, type Reply } from '../ending.ts'
import { type FoundHandle, nothingBehind, onHandle } from '../find-conversation.ts'
import { besideWholeLog, type OpenEngine } from '../open-engine.ts'
import { requestOf, warnOfUnknownModel, withWindow } from '../request-options.ts'
import { indented, wrap } from '../screen/cells.ts'
import { leftAloneText } from '../screen/context-lines.ts'
import { labelled, titled } from '../screen/labelled.ts'
import { counted } from '../screen/numbers.ts'
import { compactedRows, receiptLines } from '../screen/receipt-lines.ts'
import { safeLine, safeText } from '../screen/safe-text.ts'
import { styleOf } from '../screen/style.ts'
import type { World } from '../world.ts'

export const compact: Run = (args, world) => {
  const isPreview = args.has('preview')
  const options = { readsAnyway: isPreview, change: withWindow(args) }
  return onHandle(args, world, options, async (found) => {
    nothingBehind(found.rest)
    warnOfUnknownModel(found.settings.model, found.settings, world)
    const instructions = args.text('instructions')
    if (instructions !== null && found.settings.summarizer === null)
      return notDone(
        'REFUSED',
        `instructions are for a model that writes summaries, and none is set: --summarizer openai/gpt-5-mini, or ${typedCommand('config set summarizer NAME', world)}`,
      )
    const focus = instructions === null ? {} : { instructions }
    const asked = { ...found, args, world, request: requestOf(args, found.settings, world), focus }
    return isPreview ? preview(asked) : carryOut(asked)
  })
}

interface AskedCompaction extends FoundHandle, OpenEngine {
  readonly args: Arguments
  readonly world: World
  readonly request: ContextInput
  readonly focus: { readonly instructions?: string }
}

async function carryOut(asked: AskedCompaction): Promise<Outcome> {
  const { chat, conversation, request, focus, args, world } = asked
  const compacted = await chat.compact({ ...request, afresh: args.has('afresh'), ...focus })
  if (!compacted.ok) return notDone('REFUSED', refusalText(compacted.failure, conversation.id))
  const receipt = compacted.value
  const shown = args.json ? receipt : await besideWholeLog(receipt, conversation, asked)
  return {
    json: receipt,
    lines: () => titled(conversation, receiptLines(shown, world), world.stdout),
  }
}

function refusalText(failure: CompactFailure, id: string): string {
  const name = safeLine(id)
  switch (failure.kind) {
    case 'nothing-to-compact':
      return `nothing to compact: all of ${name} is recent or small`
    case 'summary-failed':
      return `${name} was not compacted: no model wrote a usable summary (${failure.why ?? 'no answer'})`
    case 'not-found':
      return `${name} was purged`
  }
}

async function preview(asked: AskedCompaction): Promise<Reply> {
  const { chat, conversation, request, focus, args, world } = asked
  const seen = await chat.preview({ ...request, ask: args.has('ask'), ...focus })
  const { context, ...rest } = seen
  const { receipt } = seen
  const shown =
    receipt === null || args.json ? receipt : await besideWholeLog(receipt, conversation, asked)
  const lines = () =>
    shown === null
      ? ['A compaction would change nothing: all of it is recent or small.']
      : previewLines(seen, shown, args, world)
  return {
    json: { ...rest, tokens: context.tokens, available: context.available },
    lines: () => titled(conversation, lines(), world.stdout),
  }
}

function previewLines(
  { decision, summary, ledger, files }: Preview,
  receipt: Compacted,
  args: Arguments,
  world: World,
): readonly string[] {
  const { bold, dim } = styleOf(world.stdout)
  const texts = Object.entries({ summary, ledger, files })
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
          ...indented(lines.slice(0, most)),
          ...(left > 0 ? [dim(`  ${counted(left, 'more line')}: --full`)] : []),
        ]
      }),
  ]
}

const linesShown = 12

export const undo: Run = (args, world) =>
  onHandle(args, world, {}, async ({ chat, conversation, rest }) => {
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
