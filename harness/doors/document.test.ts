/** Runs the first example of docs/ai-sdk.md unchanged. */
import { execFile } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { testFolder } from '../../packages/throughline/test/stores/sqlite-file.ts'
import { startModelServer } from './model-server.ts'

const packageFolder = join(import.meta.dirname, '../../packages/throughline')

it('shows an example that runs', async () => {
  const text = readFileSync(join(packageFolder, '../../docs/ai-sdk.md'), 'utf8')
  const [, code = ''] = /^```ts\n([\s\S]*?)^```/m.exec(text) ?? []
  // Inside the package, so that its name and dependencies resolve as they do for users.
  const folder = join(packageFolder, '.cache/ai-sdk-example')
  mkdirSync(folder, { recursive: true })
  const file = join(folder, 'example.ts')
  writeFileSync(file, code)
  const work = testFolder()
  const server = await startModelServer({
    windowTokens: 16_384,
    script: (turn) =>
      turn === 0
        ? { calls: [{ id: 'call_1', name: 'list', input: { state: 'open' } }] }
        : { text: 'Number 4711 is open.' },
  })
  try {
    const env = { ...process.env, OPENAI_API_KEY: 'none', OPENAI_BASE_URL: server.url }
    const cwd = join(work.file('.'))
    const run = promisify(execFile)
    const conditions = '--conditions=throughline-source'
    const { stdout } = await run(process.execPath, [conditions, file], { cwd, env })
    expect(stdout).toContain('Number 4711 is open.')
    expect(stdout).toContain("conversation: 'invoice-7'")
    expect(stdout).toMatch(/requests: 2/)
    expect(server.served.map(({ status }) => status)).toEqual([200, 200])
  } finally {
    await server.close()
    work.remove()
    rmSync(folder, { recursive: true, force: true })
  }
})
