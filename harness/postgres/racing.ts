/** Processes that append to one conversation on PostgreSQL, and compact it as fast as they can. */
import { postgres } from '@throughline/postgres'
import { auditStore, compacter } from '../races/two-processes.ts'
import { withPostgres } from './server.ts'

export function runRacing({
  compactions,
  processes,
}: {
  readonly compactions: number
  readonly processes: number
}) {
  return withPostgres({}, async ({ url }) => {
    const each = Math.ceil(compactions / processes)
    const acknowledged = await Promise.all(
      Array.from({ length: processes }, (_, writer) =>
        compacter([`--database=${url}`], { writer, writers: processes, compactions: each }),
      ),
    )
    const found = await auditStore(postgres({ url }), acknowledged.flat(), processes)
    return { ...found, compactions: each * processes, processes }
  })
}
