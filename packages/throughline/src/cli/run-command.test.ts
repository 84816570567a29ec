import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { testWorld } from './world.test-support.ts'

/** A client that calls the address of its environment, and writes down what it was given. */
function fakeClient(name: string, folder: string): string {
  const programs = join(folder, 'programs')
  mkdirSync(programs, { recursive: true })
  const seen = join(folder, 'seen.json')
  const program = `#!${process.execPath}
const { writeFileSync } = require('node:fs')
const { ANTHROPIC_BASE_URL: url, ANTHROPIC_CUSTOM_HEADERS: lines = '' } = process.env
const headers = Object.fromEntries(lines.split('\\n').map((line) => line.split(': ')))
const words = process.argv.slice(2)
const done = (answer) => writeFileSync(${JSON.stringify(seen)}, JSON.stringify({ words, url, answer, headers, env: process.env }))
if (url === undefined) done(null)
else fetch(url + '/v1/models', { headers: { ...headers, 'x-api-key': 'own' } }).then((r) => r.json()).then(done)
process.exitCode = words.includes('fail') ? 7 : 0
`
  writeFileSync(join(programs, name), program)
  chmodSync(join(programs, name), 0o755)
  return programs
}

async function upstream(): Promise<string> {
  const server = createServer((request, response) => {
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ key: request.headers['x-api-key'] ?? null }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

function worldWith(name: string) {
  const { folder } = testWorld()
  const PATH = fakeClient(name, folder)
  const world = testWorld({ env: { PATH, ANTHROPIC_CUSTOM_HEADERS: 'x-own: 1' } })
  const seen = () => JSON.parse(readFileSync(join(folder, 'seen.json'), 'utf8'))
  return { ...world, seen }
}

it('runs a client through a gateway that ends with it', async () => {
  const { run, seen } = worldWith('claude')
  const given = ['--upstream', await upstream(), '--port', '0', '--', '-p', 'Hello', '--json']
  const { exitCode, stdout } = await run('run', 'claude', ...given)
  expect([exitCode, stdout]).toEqual([0, ''])
  const { words, url, answer, headers } = seen()
  expect([words, answer]).toEqual([['-p', 'Hello', '--json'], { key: 'own' }])
  expect(headers).toMatchObject({
    'x-own': '1',
    'x-throughline-key': expect.stringMatching(/^tl_/),
  })
  await expect(fetch(`${url}/healthz`)).rejects.toThrow()
})

it('uses the gateway that runs, and its key for the time of the client only', async () => {
  const { run, seen, output, interrupt } = worldWith('claude')
  const words = ['--upstream', await upstream(), '--log', 'silent']
  const ended = run('gateway', '--json', '--port', '0', ...words)
  await expect.poll(() => output().stdout).toContain('\n')
  const { url } = JSON.parse(output().stdout)
  const { port } = new URL(url)
  await run('run', 'claude', '--port', port)
  expect(seen()).toMatchObject({ url, answer: { key: 'own' } })
  const headers = { 'x-throughline-key': seen().headers['x-throughline-key'] }
  expect(
    (await fetch(`${url}/v1/models`, { headers: { ...headers, 'x-api-key': 'own' } })).status,
  ).toBe(401)
  interrupt.abort()
  await ended
})

it('sets the address for Codex by words, and hides the key from them', async () => {
  const { run, seen } = worldWith('codex')
  await run('run', 'codex', '--port', '0', '--', 'exec', 'Hello')
  const { words, env } = seen()
  expect(words.slice(-2)).toEqual(['exec', 'Hello'])
  expect(words).toContain('model_provider="throughline"')
  expect(words.join(' ')).not.toContain('tl_')
  expect(env.THROUGHLINE_KEY).toMatch(/^tl_/)
})

it('ends as the client does', async () => {
  const { run } = worldWith('claude')
  const { exitCode, stderr } = await run('run', 'claude', '--port', '0', '--', 'fail')
  expect([exitCode, stderr]).toEqual([7, expect.stringContaining('status 7')])
})

it('refuses clients that it does not know or find, and settings that are stronger', async () => {
  const { run, folder } = worldWith('claude')
  expect(await run('run', 'emacs')).toMatchObject({ exitCode: 64 })
  expect(await run('run', 'pi')).toMatchObject({
    exitCode: 64,
    stderr: expect.stringContaining('npm install -g @mariozechner/pi-coding-agent'),
  })
  mkdirSync(join(folder, '.claude'))
  const settings = JSON.stringify({ env: { ANTHROPIC_BASE_URL: 'https://elsewhere.example' } })
  writeFileSync(join(folder, '.claude/settings.json'), settings)
  const refused = await run('run', 'claude')
  expect(refused).toMatchObject({ exitCode: 64, stderr: expect.stringContaining('settings.json') })
  const { findings } = JSON.parse((await run('doctor', '--client', 'claude', '--json')).stdout)
  expect(findings).toContainEqual(expect.objectContaining({ about: 'address', state: 'problem' }))
})
