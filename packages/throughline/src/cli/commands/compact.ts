/** Compacts a conversation now; `--preview` is a dry run. Also `undo`. */
import type { CompactFailure, ContextInput, Preview } from '../../index.ts'
import { type Arguments, type Run, typedCommand } from '../command.ts'
import { failWith, type Outcome, type Reply } from '../exit-result.ts'
import { type FoundHandle, refuseExtraWords, withHandle } from '../find-conversation.ts'
import { countTokens, type OpenEngine, withTokensBefore } from '../open-engine.ts'
import { requestFrom, warnOfUnknownModel, withWindow } from '../request-options.ts'
import { indented, wrap } from '../screen/cells.ts'
import { nextRequestText } from '../screen/context-lines.ts'
import { labelled, titled } from '../screen/labelled.ts'
import { counted, grouped } from '../screen/numbers.ts'
import { compactedRows, receiptLines, tokensText } from '../screen/receipt-lines.ts'
import { safeLine, safeText, shellWord } from '../screen/safe-text.ts'
import { styleOf } from '../screen/style.ts'
import type { World } from '../world.ts'

export const compact: Run = (args, world) => {
  const isPreview = args.has('preview')
  const options = { allowsReadOnly: isPreview, change: withWindow(args) }
  return withHandle(args, world, options, async (found) => {
    refuseExtraWords(found.rest)
    warnOfUnknownModel(found.settings.model, found.settings, world)
    const instructions = args.text('instructions')
    if (instructions !== null && found.settings.summarizer === null)
      return failWith(
        'REFUSED',
        `--instructions needs a summarizer, and none is set; add --summarizer openai/gpt-5-mini or run ${typedCommand('config set summarizer NAME', world)}`,
      )
    const request = requestFrom(args, found.settings, world)
    const focus = instructions === null ? {} : { instructions }
    const run = { ...found, args, world, request, focus }
    return isPreview ? previewCompaction(run) : compactNow(run)
  })
}

interface CompactionRun extends FoundHandle, OpenEngine {
  readonly args: Arguments
  readonly world: World
  readonly request: ContextInput
  /** For the summarizer. */
  readonly focus: { readonly instructions?: string }
}

async function compactNow(run: CompactionRun): Promise<Outcome> {
  const { chat, conversation, request, focus, args, world } = run
  const compacted = await chat.compact({ ...request, afresh: args.has('afresh'), ...focus })
  if (!compacted.ok) {
    const { suspended = [] } = (await chat.info())?.compaction ?? {}
    const isOnAgain = suspended.length < conversation.compaction.suspended.length
    return failWith('REFUSED', refusalText(compacted.failure, conversation.id, isOnAgain))
  }
  const receipt = compacted.value
  const shown = args.json ? receipt : await withTokensBefore(receipt, conversation, run)
  const earlier = (await chat.receipts()).filter(({ version }) => version < receipt.version)
  const undoing = typedCommand(`undo ${shellWord(conversation.id)}`, world)
  const result = `Compacted: ${tokensText(shown, world.stdout)} tokens. Undo: ${undoing}`
  return {
    json: receipt,
    lines: () => [
      ...wrap(result, world.stdout.width),
      '',
      ...titled(conversation, receiptLines(shown, world, earlier), world.stdout),
    ],
  }
}

/** `isOnAgain`: the command ended the pause of auto-compaction after an undo. */
function refusalText(failure: CompactFailure, id: string, isOnAgain: boolean): string {
  const name = safeLine(id)
  switch (failure.kind) {
    case 'nothing-to-compact':
      return isOnAgain
        ? 'Auto-compaction is on again. Nothing to compact now.'
        : `nothing to compact: all messages of ${name} are recent or small`
    case 'summary-failed':
      return `${name} was not compacted: no model wrote a usable summary (${failure.why ?? 'no answer'})`
    case 'not-found':
      return `${name} was purged`
  }
}

async function previewCompaction(run: CompactionRun): Promise<Reply> {
  const { chat, conversation, request, focus, args, world } = run
  const found = await chat.preview({ ...request, ask: args.has('ask'), ...focus })
  const { context, ...rest } = found
  const { receipt } = found
  const shown =
    receipt === null || args.json ? receipt : await withTokensBefore(receipt, conversation, run)
  const earlier = await chat.receipts()
  const lines = () =>
    shown === null
      ? ['Dry run: a compaction would change nothing. All messages are recent or small.']
      : previewLines(found, labelled(compactedRows(shown, world, earlier), world.stdout), run)
  return {
    json: { ...rest, tokens: context.tokens, available: context.available },
    lines: () => titled(conversation, lines(), world.stdout),
  }
}

function previewLines(
  { decision, summary, ledger, files }: Preview,
  receipt: readonly string[],
  { args, world }: CompactionRun,
): readonly string[] {
  const { bold, dim } = styleOf(world.stdout)
  const texts = Object.entries({ summary, ledger, files })
  const most = args.has('full') ? Number.POSITIVE_INFINITY : linesShown
  return [
    ...wrap(`Dry run; nothing was changed. ${nextRequestText(decision)}`, world.stdout.width).map(
      dim,
    ),
    '',
    ...receipt,
    ...texts
      .filter(([, text]) => text.trim() !== '')
      .flatMap(([title, text]) => {
        const lines = wrap(safeText(text).trim(), world.stdout.width - 2)
        const left = lines.length - most
        return [
          '',
          bold(title),
          ...indented(lines.slice(0, most)),
          ...(left > 0 ? [dim(`  ${counted(left, 'more line')}; --full shows everything`)] : []),
        ]
      }),
  ]
}

const linesShown = 12

export const undo: Run = (args, world) =>
  withHandle(args, world, {}, async (found) => {
    const { chat, conversation, rest } = found
    refuseExtraWords(rest)
    const [compactions, model] = [args.number('compactions') ?? 1, args.text('of')]
    const undone = await chat.history.undo({ compactions, ...(model !== null && { model }) })
    if (!undone.ok) {
      const left = undone.failure.kind === 'fewer' ? undone.failure.compactions : 0
      const which = left === 0 ? 'no compaction' : `only ${counted(left, 'compaction')}`
      return failWith('NOT_FOUND', `${safeLine(conversation.id)} has ${which} to undo`)
    }
    const { line, model: of } = undone.value
    const undoneText = compactions === 1 ? 'the last compaction' : `${compactions} compactions`
    const again = typedCommand(`compact ${shellWord(conversation.id)}`, world)
    const texts = [
      line === 0
        ? `Undid ${undoneText} for ${of}: requests contain all messages again, as far as they fit.`
        : `Undid ${undoneText} for ${of}: requests contain the messages from #${line} on again.`,
      ...(await stillReducedText(undone.value, found)),
      `Auto-compaction is now off for ${of} in this conversation. Turn it back on: ${again}`,
    ]
    return {
      json: { conversation: conversation.id, ...undone.value },
      lines: () => texts.flatMap((text) => wrap(text, world.stdout.width)),
    }
  })

/** Compares the messages with the room of the last context; the next one may have another window. */
async function stillReducedText(
  { line, model }: Readonly<{ line: number; model: string }>,
  found: FoundHandle & OpenEngine,
): Promise<readonly string[]> {
  const { requests } = await found.chat.status()
  const last = requests.find((each) => each.model === model)
  const tokens = await countTokens(found.conversation, { model, from: line }, found)
  if (last === undefined || tokens <= last.availableTokens) return []
  return [
    `The messages have ${grouped(tokens)} tokens, and the last context had room for ${grouped(last.availableTokens)}: in the same window, the next request is still reduced.`,
  ]
}
