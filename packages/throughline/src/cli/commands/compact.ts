/** Compacts a conversation now; `--preview` is a dry run. Also `undo`. */
import type { Compacted, CompactFailure, ContextInput, Preview } from '../../index.ts'
import { type Arguments, commandOn, type Run, typedCommand } from '../command.ts'
import { failWith, type Outcome, type Reply } from '../exit-result.ts'
import { type FoundHandle, refuseExtraWords, withHandle } from '../find-conversation.ts'
import { compactionState, type OpenEngine, withTokensBefore } from '../open-engine.ts'
import { requestOf, warnOfUnknownModel, withWindow } from '../request-options.ts'
import { wrap } from '../screen/cells.ts'
import { contextMessages, plannedText, whyNot } from '../screen/context-lines.ts'
import { labelled, titled } from '../screen/labelled.ts'
import { counted } from '../screen/numbers.ts'
import { compactedRows, receiptLines, tokensText } from '../screen/receipt-lines.ts'
import { safeLine } from '../screen/safe-text.ts'
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
    const request = requestOf(args, found.settings, world)
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
  const undoing = commandOn(conversation.id, 'undo', world)
  const result = `Compacted: ${tokensText(shown, world.stdout)} tokens. To undo it:`
  return {
    json: receipt,
    lines: () => [
      ...wrap(result, world.stdout.width),
      undoing,
      '',
      ...titled(conversation, receiptLines(shown, world), world.stdout),
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
  const lines = () =>
    shown === null
      ? ['Dry run: a compaction would change nothing. All messages are recent or small.']
      : previewLines(found, shown, run)
  return {
    json: { ...rest, tokens: context.tokens, available: context.available },
    lines: () => titled(conversation, lines(), world.stdout),
  }
}

function previewLines(
  { decision, context }: Preview,
  receipt: Compacted,
  { args, conversation, settings, world: { stdout } }: CompactionRun,
): readonly string[] {
  const { budget, messages, model } = context
  const state = compactionState(conversation, settings, model)
  const { tokensBefore: wholeTokens } = receipt
  const compacts = wholeTokens !== null && wholeTokens > budget.triggerTokens
  const next = plannedText(decision, compacts, wholeTokens, budget, state)
  const without = next.startsWith('would be')
    ? `the next request ${next}`
    : `nothing would be compacted: ${whyNot(decision, wholeTokens, budget, state)}`
  const note = `Dry run, nothing was changed. Without this command ${without}.`
  const blocks = messages.filter(
    ({ seq, slot }) => seq === null && ['summary', 'ledger', 'files'].includes(slot),
  )
  const shown = { ...context, system: [], repairs: [], messages: blocks }
  return [
    ...wrap(note, stdout.width).map(styleOf(stdout).dim),
    '',
    ...labelled(compactedRows(receipt, stdout), stdout),
    ...contextMessages(shown, args.has('full') ? null : linesShown, stdout),
  ]
}

const linesShown = 12

export const undo: Run = (args, world) =>
  withHandle(args, world, {}, async ({ chat, conversation, rest }) => {
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
    const texts = [
      line === 0
        ? `Undid ${undoneText} for ${of}: requests contain all messages again, as far as they fit.`
        : `Undid ${undoneText} for ${of}: requests contain the messages from #${line} on again.`,
      `Auto-compaction is now off for ${of} in this conversation; only a request that does not fit is compacted.`,
      `To compact again and turn auto-compaction back on: ${commandOn(conversation.id, 'compact', world)}`,
    ]
    return {
      json: { conversation: conversation.id, ...undone.value },
      lines: () => texts.flatMap((text) => wrap(text, world.stdout.width)),
    }
  })
