/** Shows the context that a model would receive now. */
import type { Context } from '../../index.ts'
import type { Arguments, Run } from '../command.ts'
import { UsageError } from '../exit-result.ts'
import { refuseExtraWords, withHandle } from '../find-conversation.ts'
import {
  requestFrom,
  warnOfUnknownModel,
  withoutSystemRole,
  withWindow,
} from '../request-options.ts'
import { contextFigures, contextMessages } from '../screen/context-lines.ts'
import { titled } from '../screen/labelled.ts'
import { writeOutcome } from '../screen/write-outcome.ts'

export const context: Run = (args, world) => {
  const { stdout } = world
  const format = formatIn(args)
  return withHandle(args, world, { dryRun: true, change: withWindow(args) }, async (found) => {
    const { chat, conversation, rest, settings, engine } = found
    refuseExtraWords(rest)
    warnOfUnknownModel(settings.model, settings, world)
    const built = withoutSystemRole(await chat.context(requestFrom(args, settings, world)))
    if (format !== 'text')
      return writeOutcome({ json: true }, world, {
        json: await writeRequest(built, format),
        lines: () => [],
      })
    const { maxInputTokens } = (await engine.meter(settings.model)).card
    const most = args.has('full') ? null : linesShown
    const lines = () => [
      ...contextFigures(built, maxInputTokens, stdout),
      ...(args.has('figures') ? [] : contextMessages(built, most, stdout)),
    ]
    return {
      json: { ...built, files: [...built.files.keys()] },
      lines: () => titled(conversation, lines(), stdout),
    }
  })
}

const linesShown = 4
const formats = ['text', 'openai', 'anthropic', 'ai-sdk'] as const
type Format = (typeof formats)[number]

function formatIn(args: Arguments): Format {
  const named = args.text('format') ?? 'text'
  const format = formats.find((each) => each === named)
  if (format === undefined)
    throw new UsageError(`unknown format "${named}"; use ${formats.join(', ')}`)
  return format
}

async function writeRequest(context: Context, format: Exclude<Format, 'text'>): Promise<object> {
  const { aiSdk, anthropicMessages, openaiChat } = await import('../../adapters/index.ts')
  return { openai: openaiChat, anthropic: anthropicMessages, 'ai-sdk': aiSdk }[format].write(
    context,
  )
}
