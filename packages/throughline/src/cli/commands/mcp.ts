/** Serves MCP on standard input and output, for the agent that started it. */
import type { Run } from '../command.ts'
import { done, UsageError } from '../exit-result.ts'
import { importServer } from '../import-server.ts'
import { aborted, serverSettings } from './serve.ts'

export const mcp: Run = async (args, world) => {
  if (args.positionals.length > 0)
    throw new UsageError(`mcp takes no words; got "${args.positionals[0]}"`)
  const server = await importServer('mcp')
  const started = await server.startMcp(serverSettings(args, world, server), world.env)
  try {
    await Promise.race([started.ended, aborted(world.signal)])
  } finally {
    await started.stop()
  }
  return done
}
