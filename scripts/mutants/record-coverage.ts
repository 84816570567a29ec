/** Runs before each test file: records which lines of the mutated rooms its tests execute. */
import { createHash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import type { Profiler } from 'node:inspector'
import { Session } from 'node:inspector/promises'
import { SourceMap } from 'node:module'
import { join, relative } from 'node:path'
import { afterAll, expect } from 'vitest'
import { isMutated } from './listed-files.ts'

const root = join(import.meta.dirname, '../..')
const folder = process.env['MUTANT_COVERAGE'] ?? ''

const session = new Session()
session.connect()
await session.post('Profiler.enable')
await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true })
// Calls of other files in this worker do not count.
await session.post('Profiler.takePreciseCoverage')

afterAll(async () => {
  const { result } = await session.post('Profiler.takePreciseCoverage')
  const pathOf = (url: string) => relative(root, url.replace(/^file:\/\//, ''))
  const sources = result.filter(({ url }) => isMutated(pathOf(url)))
  await session.post('Debugger.enable')
  const executed: (readonly [string, readonly number[]])[] = []
  for (const { url, scriptId, functions } of sources) {
    const { scriptSource } = await session.post('Debugger.getScriptSource', { scriptId })
    const lines = executedLines(scriptSource, functions)
    if (lines.length > 0) executed.push([pathOf(url), lines])
  }
  const test = relative(root, expect.getState().testPath ?? '')
  const name = createHash('sha256').update(test).digest('hex').slice(0, 16)
  writeFileSync(join(folder, `${name}.json`), JSON.stringify({ test, executed }))
  await session.post('Profiler.stopPreciseCoverage')
  session.disconnect()
})

/** The lines before compilation: a line with several blocks is executed if one of them is. */
function executedLines(
  code: string,
  functions: readonly Profiler.FunctionCoverage[],
): readonly number[] {
  const [, encoded = ''] = /^\/\/# sourceMappingURL=data:[^,]*,([\w+/=]+)$/m.exec(code) ?? []
  const map = new SourceMap(JSON.parse(Buffer.from(encoded, 'base64').toString('utf8')))
  // An inner range follows the range around it, and its count is the one that applies.
  const isExecuted = new Uint8Array(code.length)
  for (const { ranges } of functions)
    for (const { startOffset, endOffset, count } of ranges)
      isExecuted.fill(Math.min(1, count), startOffset, endOffset)
  const lines = new Set<number>()
  let offset = 0
  for (const [line, text] of code.split('\n').entries()) {
    for (const { index } of text.matchAll(/\S+/g)) {
      const entry = map.findEntry(line, index)
      if (isExecuted[offset + index] === 1 && 'originalLine' in entry)
        lines.add(entry.originalLine + 1)
    }
    offset += text.length + 1
  }
  return [...lines]
}
