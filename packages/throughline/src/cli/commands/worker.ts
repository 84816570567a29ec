/** Runs the background jobs of servers until it is stopped, or tries again those that were given up. */
import type { Run } from '../command.ts'
import { done, UsageError } from '../exit-result.ts'
import { importServer } from '../import-server.ts'
import { aborted, serverSettings } from './serve.ts'

export const worker: Run = async (args, world) => {
  if (args.positionals.length > 0)
    throw new UsageError(`worker takes no words; got "${args.positionals[0]}"`)
  const server = await importServer('worker')
  const started = await server.startWorker(serverSettings(args, world, server), world.env)
  try {
    if (args.has('retry-dead')) {
      const retried = await started.retryDead()
      return { json: { retried }, lines: () => [`${retried} jobs are tried again`] }
    }
    const { waiting, dead } = await started.figures()
    await world.stderr.write(`The worker runs; ${waiting} jobs wait, ${dead} were given up\n`)
    await aborted(world.signal)
  } finally {
    await started.stop()
  }
  return done
}
