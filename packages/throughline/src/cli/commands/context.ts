/** What a model would see of a conversation now. */
import { type Context, findModel } from '../../index.ts'
import type { Arguments, Command } from '../command.ts'
import { WrongUsage } from '../ending.ts'
import { lastOption, nothingBehind, onHandle } from '../find-conversation.ts'
import {
  meantModel,
  requestOf,
  requestOptions,
  withoutAuthority,
  withWindow,
} from '../request-options.ts'
import { contextFigures, contextMessages } from '../screen/context-lines.ts'
import { heading } from '../screen/labelled.ts'
import { settle } from '../screen/tell.ts'
import { engineSettings } from '../settings/setting-fields.ts'

export const context: Command = {
  usage: ['context CONVERSATION [--model NAME] [--format FORMAT]'],
  about: [
    'Only a look: nothing is sent, nothing is kept, and no model is asked. As openai, anthropic or ai-sdk it is the request that would be sent.',
  ],
  options: {
    ...lastOption,
    ...requestOptions,
    next: {
      value: 'TEXT',
      says: 'what the user says next: what is recalled for it stands before it',
    },
    format: { value: 'FORMAT', says: 'text, openai, anthropic or ai-sdk; text unless set' },
    figures: { says: 'the figures alone' },
    full: { says: 'messages whole; otherwise four lines of each' },
  },
  settings: engineSettings.filter((name) => name !== 'summarizer'),
  examples: [
    ['context --last --figures', 'how full the next request would be'],
    ['context --last --window 8000', 'what a small model would be shown'],
    ['context invoice-7 --next "And the invoice?"', 'with what is recalled for it'],
    ['context invoice-7 --format anthropic', 'the request as JSON'],
  ],
  run: (args, world) => {
    const format = formatIn(args)
    return onHandle(
      args,
      world,
      async ({ chat, conversation, rest, settings, engine }) => {
        nothingBehind(rest)
        const made = withoutAuthority(await chat.context(requestOf(args, settings, world)))
        if (format !== 'text') {
          const request = await written(made, format)
          return settle({ json: true }, world, { json: request, lines: () => [] })
        }
        const { card } = await engine.meter(settings.model)
        // Whoever has set a window knows which model is meant.
        const isUnknown = findModel(settings.model).card.windowSource === made.budget.windowSource
        const meant = isUnknown ? meantModel(settings.model) : null
        return {
          json: { ...made, files: [...made.files.keys()] },
          lines: () => [
            heading(conversation, world.stdout),
            '',
            ...contextFigures(made, { maxInputTokens: card.maxInputTokens, meant }, world.stdout),
            ...(args.has('figures')
              ? []
              : contextMessages(made, args.has('full') ? null : linesShown, world.stdout)),
          ],
        }
      },
      { onlyLooks: true, change: withWindow(args) },
    )
  },
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
