/** Shows the context that a model would receive now. */
import type { Context } from '../../index.ts'
import type { Run } from '../command.ts'
import { type FoundHandle, refuseExtraWords, withHandle } from '../find-conversation.ts'
import { compactionState, countTokens, type OpenEngine } from '../open-engine.ts'
import { requestOf, warnOfUnknownModel, withoutSystemRole, withWindow } from '../request-options.ts'
import { contextFigures, contextMessages, type FigureOptions } from '../screen/context-lines.ts'
import { titled } from '../screen/labelled.ts'
import { writeOutcome } from '../screen/write-outcome.ts'

export const context: Run = (args, world) => {
  const { stdout } = world
  const format = args.choice('format', formats) ?? 'text'
  return withHandle(args, world, { dryRun: true, change: withWindow(args) }, async (found) => {
    const { chat, conversation, rest, settings } = found
    refuseExtraWords(rest)
    warnOfUnknownModel(settings.model, settings, world)
    const built = withoutSystemRole(await chat.context(requestOf(args, settings, world)))
    if (format !== 'text')
      return writeOutcome({ json: true }, world, {
        json: await writeRequest(built, format),
        lines: () => [],
      })
    const most = args.has('full') ? null : linesShown
    const figures = await figureOptions(built, found)
    const lines = () => [
      ...contextFigures(built, figures, stdout),
      ...(args.has('figures') ? [] : contextMessages(built, most, stdout)),
    ]
    const json = { ...built, files: [...built.files.keys()] }
    return { json, lines: () => titled(conversation, lines(), stdout) }
  })
}

const linesShown = 4
/** Counting all messages of a longer conversation would take too long. */
const countedMessages = 5_000

async function figureOptions(
  { model, decision }: Context,
  found: FoundHandle & OpenEngine,
): Promise<FigureOptions> {
  const { conversation, settings, engine } = found
  const isCounted = decision.reason === 'first' && conversation.head <= countedMessages
  const all = isCounted ? await countTokens(conversation, model, found) : null
  return {
    meter: await engine.meter(settings.model),
    compaction: compactionState(conversation, settings, model),
    wholeTokens: decision.figures.tokens ?? all,
  }
}

const formats = ['text', 'openai', 'anthropic', 'ai-sdk'] as const
type Format = (typeof formats)[number]

async function writeRequest(context: Context, format: Exclude<Format, 'text'>): Promise<object> {
  const { aiSdk, anthropicMessages, openaiChat } = await import('../../adapters/index.ts')
  const adapters = { openai: openaiChat, anthropic: anthropicMessages, 'ai-sdk': aiSdk }
  return adapters[format].write(context)
}
