/** Chats with a model; the conversation is stored and always fits the context window. */
import { providerFor } from '../chat/chat-session.ts'
import type { Run } from '../command.ts'
import { systemOf, withWindow } from '../request-options.ts'
import { readSettings } from '../settings/read-settings.ts'

export const chat: Run = async (args, world) => {
  const settings = withWindow(args)(readSettings(args, world).values)
  // Reports a missing key before anything is opened.
  providerFor(settings.model, settings, world)
  const system = systemOf(args, world)
  if (world.lines !== null && !args.has('message') && !args.json) {
    const { inTerminal } = await import('../chat/in-terminal.ts')
    return inTerminal(args, world, { settings, system, lines: world.lines })
  }
  const { inPipe } = await import('../chat/in-pipe.ts')
  return inPipe(args, world, { settings, system })
}
