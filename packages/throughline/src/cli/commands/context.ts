/** What a model would see of a conversation now. */
import type { Context } from '../../index.ts'
import type { Arguments, Run } from '../command.ts'
import { WrongUsage } from '../ending.ts'
import { nothingBehind, onHandle } from '../find-conversation.ts'
import { requestOf, warnOfUnknownModel, withoutAuthority, withWindow } from '../request-options.ts'
import { contextFigures, contextMessages } from '../screen/context-lines.ts'
import { titled } from '../screen/labelled.ts'
import { settle } from '../screen/tell.ts'

export const context: Run = (args, world) => {
  const { stdout } = world
  const format = formatIn(args)
  return onHandle(args, world, { onlyLooks: true, change: withWindow(args) }, async (found) => {
    const { chat, conversation, rest, settings, engine } = found
    nothingBehind(rest)
    warnOfUnknownModel(settings.model, settings, world)
    const made = withoutAuthority(await chat.context(requestOf(args, settings, world)))
    if (format !== 'text')
      return settle({ json: true }, world, { json: await written(made, format), lines: () => [] })
    const { maxInputTokens } = (await engine.meter(settings.model)).card
    const most = args.has('full') ? null : linesShown
    const lines = () => [
      ...contextFigures(made, maxInputTokens, stdout),
      ...(args.has('figures') ? [] : contextMessages(made, most, stdout)),
    ]
    return {
      json: { ...made, files: [...made.files.keys()] },
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
    throw new WrongUsage(`--format is ${formats.join(', ')}, not "${named}"`)
  return format
}

async function written(made: Context, format: Exclude<Format, 'text'>): Promise<object> {
  const { aiSdk, anthropicMessages, openaiChat } = await import('../../adapters/index.ts')
  return { openai: openaiChat, anthropic: anthropicMessages, 'ai-sdk': aiSdk }[format].write(made)
}
