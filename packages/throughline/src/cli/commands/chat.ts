/** A chat with any model, kept in the store and always inside the window. */
import { providerFor } from '../chat/talk.ts'
import type { Command } from '../command.ts'
import { lastOption } from '../find-conversation.ts'
import { requestOptions, systemOf, withWindow } from '../request-options.ts'
import { readSettings } from '../settings/read-settings.ts'
import { engineSettings } from '../settings/setting-fields.ts'

export const chat: Command = {
  usage: ['chat [CONVERSATION] [--model NAME] [--system TEXT]', 'chat [CONVERSATION] -m TEXT'],
  about: [
    'Without a conversation a new one begins. In a terminal /help shows what can be done beside talking; Ctrl-C stops an answer, and what came of it is kept.',
    'Elsewhere each line of stdin is said, and only answers are written; with --json one event per line.',
    'Models are named provider/model: openai, anthropic, google, openrouter, mistral, groq, deepseek, xai, and on your own machine ollama, lmstudio and vllm. Keys come from the environment (OPENAI_API_KEY, ANTHROPIC_API_KEY and so on).',
  ],
  options: {
    ...lastOption,
    ...requestOptions,
    new: { says: 'begins a conversation of that name, also where the name fits another' },
    message: { short: 'm', value: 'TEXT', says: 'says this, and ends; - takes all of stdin' },
  },
  settings: [...engineSettings, 'baseUrl'],
  examples: [
    ['chat', 'a new conversation with the model of your settings'],
    ['chat --last', 'goes on where you stopped'],
    [
      'chat plans --model ollama/qwen3:8b --window 32768',
      'a conversation named "plans" with a model on this machine',
    ],
    ['chat plans -m "And what did we decide?"', 'one question, one answer'],
  ],
  run: async (args, world) => {
    const settings = withWindow(args)(readSettings(args, world).values)
    // Before anything is opened or said: a model that cannot be asked is told at once.
    providerFor(settings.model, settings, world)
    const system = systemOf(args, world)
    if (world.lines !== null && !args.has('message') && !args.json) {
      const { inTerminal } = await import('../chat/in-terminal.ts')
      return inTerminal(args, world, { settings, system, lines: world.lines })
    }
    const { inPipe } = await import('../chat/in-pipe.ts')
    return inPipe(args, world, { settings, system })
  },
}
