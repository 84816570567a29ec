/** Runs before each test file: records which source functions its tests call. */
import { createHash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { Session } from 'node:inspector/promises'
import { join, relative } from 'node:path'
import { afterAll, expect } from 'vitest'

const root = join(import.meta.dirname, '../..')
const folder = process.env['MUTANT_COVERAGE'] ?? ''

const session = new Session()
session.connect()
await session.post('Profiler.enable')
await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
// Calls of other files in this worker do not count.
await session.post('Profiler.takePreciseCoverage')

afterAll(async () => {
  const { result } = await session.post('Profiler.takePreciseCoverage')
  const sources = result.filter(({ url }) => url.includes('/packages/throughline/src/'))
  const called = sources.map(({ url, functions }) => {
    const names = functions
      .filter(({ ranges }) => (ranges[0]?.count ?? 0) > 0)
      .map(({ functionName }) => functionName)
    return [relative(root, url.replace(/^file:\/\//, '')), [...new Set(names)]] as const
  })
  const test = relative(root, expect.getState().testPath ?? '')
  const name = createHash('sha256').update(test).digest('hex').slice(0, 16)
  writeFileSync(join(folder, `${name}.json`), JSON.stringify({ test, called }))
  await session.post('Profiler.stopPreciseCoverage')
  session.disconnect()
})
