/**
 * npm run serve [-- --port 8787 --config server.json]: starts the server of `packages/server`, and prints its
 * address and, the first time, its key. SIGTERM and SIGINT stop it after running requests are answered.
 */
import { parseArgs } from 'node:util'
import { readServerSettings, startServer } from '@throughline/server'

const { values } = parseArgs({
  options: { port: { type: 'string' }, folder: { type: 'string' }, config: { type: 'string' } },
})
const { folder, config = null, port } = values
const given = { folder, ...(port !== undefined && { port: Number(port) }) }
const settings = readServerSettings(given as Parameters<typeof readServerSettings>[0], {
  env: process.env,
  file: config,
})
const { url, firstKey, stop } = await startServer(settings)
console.error(`Listening on ${url}; the databases are in ${settings.folder}.`)
if (firstKey !== null) console.error(`The first key, shown only now: ${firstKey}`)
for (const signal of ['SIGTERM', 'SIGINT'] as const)
  process.once(signal, () => void stop().then(() => process.exit(0)))
