/**
 * Creates the tables, and checks their version. One process at a time: it holds a lock that ends with
 * its transaction. A newer schema says from which version on it may be used, so that old and new
 * processes can run side by side while they are replaced.
 */
import { ThroughlineError } from 'throughline'
import type { Database, Transaction } from './database.ts'
import type { TableNames } from './rows.ts'
import { findPieces, readableFrom, schemaVersion, tables as tableData } from './schema-data.ts'

export interface MigrateOptions {
  readonly schema: string
  /** Parts of each table, by a hash of the tenant; 0 for none. Used when the tables are created. */
  readonly partitions: number
  /** A role that may read and write the conversations, and change no table. */
  readonly appRole: string | null
}

function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}

export function tableNames(schema: string): TableNames {
  const names = [...Object.keys(tableData), 'serials', 'ages', 'versions', 'leases', 'find_pieces']
  // Safe cast: the names are those of the type, and a test compares them.
  return Object.fromEntries(
    names.map((name) => [name, `${quoted(schema)}.${name}`]),
  ) as unknown as TableNames
}

/** Creates missing tables, and those that a newer version added. */
export async function migrate(
  database: Database,
  names: TableNames,
  options: MigrateOptions,
): Promise<void> {
  await database.transaction('', 'write', async (sql) => {
    // No other transaction uses this lock, and it ends with this one.
    await sql.all('SELECT pg_advisory_xact_lock(hashtextextended($1, 7460))', [options.schema])
    const found = await versionOf(sql, options.schema, names)
    if (found === null) await createTables(sql, names, options)
    else if (found.version < schemaVersion) await addTables(sql, names, options, found.version)
    if (options.appRole !== null) await grant(sql, options.schema, options.appRole)
  })
}

/** Throws where this release cannot use the tables; otherwise says whether `migrate` has work to do. */
export async function checkVersion(
  database: Database,
  names: TableNames,
  schema: string,
): Promise<'missing' | 'older' | 'current'> {
  return database.transaction('', 'read', async (sql) => {
    const [found] = await sql.all(`SELECT current_setting('server_encoding') AS encoding`)
    if (found?.['encoding'] !== 'UTF8')
      throw new ThroughlineError('STORE_FOREIGN', 'the encoding of the database must be UTF8')
    const version = await versionOf(sql, schema, names)
    if (version === null) return 'missing'
    if (version.readableFrom > schemaVersion)
      throw new ThroughlineError(
        'STORE_NEWER',
        `schema "${schema}" has version ${version.version}; this release knows ${schemaVersion}`,
      )
    return version.version < schemaVersion ? 'older' : 'current'
  })
}

interface Version {
  readonly version: number
  readonly readableFrom: number
}

async function versionOf(
  sql: Transaction,
  schema: string,
  names: TableNames,
): Promise<Version | null> {
  // By name in the catalogue: other ways may see what this session has cached before the lock.
  const found = await sql.all(
    `SELECT relname FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace
     WHERE nspname = $1 AND relname IN ('versions', 'conversations')`,
    [schema],
  )
  const has = (name: string) => found.some(({ relname }) => relname === name)
  if (!has('versions') && has('conversations'))
    throw new ThroughlineError('STORE_FOREIGN', `schema "${schema}" has tables of another program`)
  if (!has('versions')) return null
  const row = await sql.get(
    `SELECT version, readable_from FROM ${names.versions} ORDER BY version DESC LIMIT 1`,
  )
  return row && { version: Number(row['version']), readableFrom: Number(row['readable_from']) }
}

async function createTables(
  sql: Transaction,
  names: TableNames,
  { schema, partitions }: MigrateOptions,
): Promise<void> {
  const exists = await sql.get('SELECT 1 FROM pg_namespace WHERE nspname = $1', [schema])
  if (exists === null) sql.send(`CREATE SCHEMA ${quoted(schema)}`)
  sql.send(`CREATE SEQUENCE ${names.serials}`)
  sql.send(`CREATE SEQUENCE ${names.ages} CACHE 32`)
  for (const name of Object.keys(tableData)) createTable(sql, name, { schema, partitions })
  sql.send(findPieces(names.pieces, names.find_pieces))
  sql.send(`REVOKE ALL ON FUNCTION ${names.find_pieces} FROM PUBLIC`)
  sql.send(`CREATE TABLE ${names.versions} (
    version bigint PRIMARY KEY, readable_from bigint NOT NULL, at timestamptz NOT NULL DEFAULT now())`)
  sql.send(`CREATE TABLE ${names.leases} (
    job text PRIMARY KEY, token text NOT NULL, expires_at timestamptz NOT NULL)`)
  await writeVersion(sql, names)
}

/** In as many parts as the tables that are there, for the roles that may use these. */
async function addTables(
  sql: Transaction,
  names: TableNames,
  { schema }: MigrateOptions,
  version: number,
): Promise<void> {
  const found = await sql.get(
    `SELECT count(*) AS parts FROM pg_inherits WHERE inhparent = $1::regclass`,
    [names.conversations],
  )
  const partitions = Number(found?.['parts'] ?? 0)
  for (const [name, { since = 1 }] of Object.entries(tableData))
    if (since > version) createTable(sql, name, { schema, partitions })
  const roles = await sql.all(
    `SELECT DISTINCT pg_get_userbyid(acl.grantee) AS role
     FROM pg_class, aclexplode(relacl) acl
     WHERE pg_class.oid = $1::regclass AND acl.grantee NOT IN (0, relowner)`,
    [names.conversations],
  )
  for (const { role } of roles) await grant(sql, schema, String(role))
  await writeVersion(sql, names)
}

async function writeVersion(sql: Transaction, names: TableNames): Promise<void> {
  sql.send(`INSERT INTO ${names.versions} (version, readable_from) VALUES ($1, $2)`, [
    schemaVersion,
    readableFrom,
  ])
  await sql.flushed()
}

function createTable(
  sql: Transaction,
  name: string,
  { schema, partitions }: Pick<MigrateOptions, 'schema' | 'partitions'>,
): void {
  const { columns = '', key = '', more = [], storage } = tableData[name] ?? {}
  const table = `${quoted(schema)}.${name}`
  const options = storage === undefined ? '' : `WITH (${storage})`
  const create = `CREATE TABLE ${table} (${columns}, PRIMARY KEY (${key}))`
  if (partitions === 0) sql.send(`${create} ${options}`)
  else sql.send(`${create} PARTITION BY HASH (tenant)`)
  for (let part = 0; part < partitions; part += 1)
    sql.send(`CREATE TABLE ${table}_${part} PARTITION OF ${table}
      FOR VALUES WITH (MODULUS ${partitions}, REMAINDER ${part}) ${options}`)
  for (const statement of more)
    sql.send(statement.replace('$table', () => table).replace('$schema', () => quoted(schema)))
  sql.send(`ALTER TABLE ${table} ENABLE ROW LEVEL SECURITY`)
  // The function that searches pieces runs as the owner, which this would bind.
  if (name !== 'pieces') sql.send(`ALTER TABLE ${table} FORCE ROW LEVEL SECURITY`)
  sql.send(`CREATE POLICY tenant ON ${table}
    USING (tenant = current_setting('throughline.tenant', true))`)
}

async function grant(sql: Transaction, schema: string, appRole: string): Promise<void> {
  const [inSchema, role] = [quoted(schema), quoted(appRole)]
  sql.send(`GRANT USAGE ON SCHEMA ${inSchema} TO ${role}`)
  for (const table of Object.keys(tableData))
    sql.send(`GRANT SELECT, INSERT, UPDATE, DELETE ON ${inSchema}.${table} TO ${role}`)
  sql.send(`GRANT SELECT ON ${inSchema}.versions TO ${role}`)
  sql.send(`GRANT SELECT, INSERT, UPDATE, DELETE ON ${inSchema}.leases TO ${role}`)
  sql.send(`GRANT USAGE ON ALL SEQUENCES IN SCHEMA ${inSchema} TO ${role}`)
  sql.send(`GRANT EXECUTE ON FUNCTION ${inSchema}.find_pieces TO ${role}`)
  await sql.flushed()
}
