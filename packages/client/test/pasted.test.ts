import { execFile, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it, onTestFinished } from 'vitest'

const root = join(import.meta.dirname, '../../..')
const launcher = join(root, 'packages/throughline/bin/throughline.js')

it('prints calls that work when they are pasted into a shell', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'throughline-pasted-'))
  const words = ['serve', '--demo', '--port', '0', '--log', 'silent', '--folder', folder]
  const child = spawn(process.execPath, ['--conditions=throughline-source', launcher, ...words], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, NO_COLOR: '1' },
  })
  onTestFinished(() => {
    child.kill('SIGKILL')
    rmSync(folder, { recursive: true, force: true })
  })
  let printed = ''
  for await (const chunk of child.stderr) {
    printed += String(chunk)
    if (printed.includes('Ctrl-C')) break
  }
  const between = (from: string, to: string) =>
    new RegExp(`^${from}.*\\n([\\s\\S]*?)^${to}`, 'm').exec(printed)?.[1] ?? ''
  const key = between('The first key', 'Call it')
  const curl = between('Call it with curl', 'Call it with the client')
  const client = between('Call it with the client', 'Ctrl-C')
  const paste = async (lines: string) =>
    (await promisify(execFile)('sh', ['-c', `${key}\n${lines}`], { cwd: root })).stdout
  expect(await paste(curl)).toMatch(/"head":1,.*"tokens":\d+/s)
  expect(await paste(client)).toMatch(/^2 messages, \d+ tokens$/m)
})
