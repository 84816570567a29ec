/** Moves conversations between a SQLite file and PostgreSQL. */
import { isNotInstalled, ThroughlineError } from '../../errors.ts'
import type { Run } from '../command.ts'
import { UsageError } from '../exit-result.ts'

export const move: Run = async (args, world) => {
  const [from, to] = [args.text('from'), args.text('to')]
  if (args.positionals.length > 0 || from === null || to === null)
    throw new UsageError('move takes --from and --to: a SQLite file, and a URL as postgres://…')
  const { moveConversations } = await importPostgres()
  const steps = progressSteps()
  const moved = await moveConversations({
    from,
    to,
    schema: args.text('schema') ?? undefined,
    tenants: args.text('tenants')?.split(','),
    onProgress: (done, all) => {
      if (steps(done, all)) void world.stderr.write(`${done} of ${all} conversations\n`)
    },
  })
  const { conversations, resumed, lockedMs } = moved
  const before = resumed > 0 ? `; an interrupted move had copied ${resumed} of them` : ''
  const line = `moved ${conversations} conversations${before}. Writers waited ${lockedMs} ms.`
  return { json: moved, lines: () => [line, 'Programs may use the new place now.'] }
}

/** Says when a tenth more is done. */
function progressSteps() {
  let tenths = 0
  return (done: number, all: number): boolean => {
    const now = Math.floor((done * 10) / Math.max(1, all))
    const isStep = now > tenths
    tenths = now
    return isStep
  }
}

async function importPostgres() {
  try {
    return await import('@throughline/postgres')
  } catch (cause) {
    if (!isNotInstalled(cause)) throw cause
    const message =
      'throughline move needs the package @throughline/postgres: npm install @throughline/postgres'
    throw new ThroughlineError('PACKAGE_MISSING', message, { cause })
  }
}
