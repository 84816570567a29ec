/** What a server has in PostgreSQL, from a package that other servers do not need. */
import { ThroughlineError } from 'throughline'
import type { ServerSettings } from './settings.ts'
import { drainMs } from './shared-access.ts'

type Postgres = typeof import('@throughline/postgres')
type PostgresParts = {
  readonly store: ReturnType<Postgres['postgres']>
  readonly queue: ReturnType<Postgres['postgresQueue']>
}
type ServerRows = ReturnType<Postgres['postgresServerRows']>

/** Null where the conversations are in the folder. */
export async function postgresParts(
  { database, worker }: Pick<ServerSettings, 'database' | 'worker'>,
  works = worker,
): Promise<PostgresParts | null> {
  if (database === null) return null
  const { postgres, postgresQueue } = await importPostgres()
  return { store: postgres({ url: database }), queue: postgresQueue({ url: database, works }) }
}

/** What servers share besides; null where all is in the folder. */
export async function postgresRows({
  database,
  limits,
}: Pick<ServerSettings, 'database' | 'limits'>): Promise<ServerRows | null> {
  if (database === null) return null
  const { postgresServerRows } = await importPostgres()
  return postgresServerRows({ url: database, answerMs: limits.timeoutMs + drainMs })
}

async function importPostgres(): Promise<Postgres> {
  try {
    return await import('@throughline/postgres')
  } catch (cause) {
    if ((cause as { readonly code?: unknown }).code !== 'ERR_MODULE_NOT_FOUND') throw cause
    throw new ThroughlineError(
      'PACKAGE_MISSING',
      'the setting database needs the package @throughline/postgres: npm install @throughline/postgres',
      { cause },
    )
  }
}
