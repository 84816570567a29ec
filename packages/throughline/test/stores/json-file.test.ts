import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { createThroughline } from 'throughline'
import { jsonFile } from 'throughline/stores/json-file'
import { build } from 'throughline/testing'
import { afterAll, describe, expect, it } from 'vitest'
import { inProcesses, testFolder } from './sqlite-file.ts'

const folder = testFolder()
afterAll(() => folder.remove())

const messages = build().user('Which invoices are open?').says('Invoice 2041 is open.').messages

async function written(name: string): Promise<string> {
  const file = folder.file(name)
  const tl = createThroughline({ store: jsonFile(file) })
  await tl.conversation('c').append(messages)
  await tl.close()
  return file
}

async function texts(file: string, id = 'c'): Promise<readonly string[]> {
  const tl = createThroughline({ store: jsonFile(file) })
  try {
    const stored = await Array.fromAsync(tl.conversation(id).messages())
    return stored.flatMap(({ parts }) =>
      parts.map((part) => (part.type === 'text' ? part.text : part.type)),
    )
  } finally {
    await tl.close()
  }
}

const expected = messages.map(({ content }) => content)

describe('a chat in a JSON file', () => {
  it('M-001 XC-19: is one JSON document, private, without a lock or a temporary file beside it', async () => {
    const file = await written('one.json')
    expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ version: 1 })
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect([existsSync(`${file}.lock`), existsSync(`${file}.tmp`)]).toEqual([false, false])
    expect(await texts(file)).toEqual(expected)
  })

  it('M-001: written by the first version is still read', async () => {
    const file = folder.file('old.json')
    writeFileSync(file, firstVersion)
    expect(await texts(file)).toEqual(['Hello.'])
  })

  it('M-001: is still valid after a formatter, and refused after a change', async () => {
    const file = await written('checked.json')
    const text = readFileSync(file, 'utf8')
    writeFileSync(file, JSON.stringify(JSON.parse(text), null, 2))
    expect(await texts(file)).toEqual(expected)
    const refused = (content: string) => {
      writeFileSync(file, content)
      const open = () => jsonFile(file)
      expect(open).toThrow()
      expect(readFileSync(file, 'utf8')).toBe(content)
      expect(existsSync(`${file}.lock`)).toBe(false)
      return open
    }
    expect(refused(text.replace('2041', '2042'))).toThrow(/STORE_CORRUPT|does not match its hash/)
    expect(refused(text.slice(0, -20))).toThrow(/no complete JSON/)
    expect(refused('{"state":[],"messages":[]}')).toThrow(/not written by throughline/)
    expect(refused(text.replace('"version":1', '"version":2'))).toThrow(/newer throughline/)
    writeFileSync(file, text)
    expect(await texts(file)).toEqual(expected)
  })

  it('has each change at once, even if the process ends without closing', async () => {
    const file = folder.file('killed.json')
    const script = `
      const { createThroughline } = await import('throughline')
      const { jsonFile } = await import('throughline/stores/json-file')
      const tl = createThroughline({ store: jsonFile(${JSON.stringify(file)}) })
      await tl.conversation('c').append({ role: 'user', content: 'Kept.' })
      process.kill(process.pid, 'SIGKILL')`
    await inProcesses(1, script)
    expect(existsSync(`${file}.lock`)).toBe(true)
    expect(await texts(file)).toEqual(['Kept.'])
  })

  it('is never open in two processes', async () => {
    const file = await written('busy.json')
    const store = jsonFile(file)
    expect(() => jsonFile(file)).toThrow(/open in another process/)
    const script = `
      const { jsonFile } = await import('throughline/stores/json-file')
      try { jsonFile(${JSON.stringify(file)}); process.exit(0) }
      catch (error) { process.exit(error.code === 'STORE_BUSY' ? 7 : 1) }`
    expect(await inProcesses(2, script)).toEqual([7, 7])
    await store.close()
    expect(await inProcesses(1, script)).toEqual([0])
    expect(await texts(file)).toEqual(expected)
  })

  it('is not written by a process that has lost its lock', async () => {
    const file = await written('lost.json')
    const tl = createThroughline({ store: jsonFile(file) })
    const other = { host: hostname(), pid: 1, startedAt: 0, token: 'other' }
    writeFileSync(`${file}.lock`, JSON.stringify(other))
    const before = readFileSync(file, 'utf8')
    await expect(tl.conversation('c').append(messages)).rejects.toMatchObject({
      code: 'STORE_BUSY',
    })
    expect(readFileSync(file, 'utf8')).toBe(before)
    await tl.close()
    expect(existsSync(`${file}.lock`)).toBe(true)
  })

  it('shows nothing that it could not write, and continues afterwards', async () => {
    const file = await written('full.json')
    const tl = createThroughline({ store: jsonFile(file) })
    const chat = tl.conversation('c')
    mkdirSync(`${file}.tmp`)
    await expect(chat.append({ role: 'user', content: 'Lost.' })).rejects.toThrow()
    expect((await chat.info())?.head).toBe(2)
    rmSync(`${file}.tmp`, { recursive: true })
    await chat.append({ role: 'user', content: 'Again.' })
    await tl.close()
    expect(await texts(file)).toEqual([...expected, 'Again.'])
  })

  it('finds messages of an earlier process, and has no byte of a purged one', async () => {
    const file = await written('purged.json')
    const tl = createThroughline({ store: jsonFile(file) })
    expect(JSON.stringify(await tl.conversation('c').recall('invoice'))).toContain('2041')
    await tl.conversation('c').history.purgeMessage('#1')
    await tl.close()
    expect(readFileSync(file, 'utf8')).not.toContain('2041')
    expect((await texts(file))[0]).toBe(expected[0])
  })
})

const firstVersion = `{"format":"throughline-json-file","version":1,"sha256":"10bc41da2ac20f7f1770ce30d079d28d3cb840aa18d9634a250e94aca6937876",
"state":{"lastSerial":1,"tenants":[{"id":"default","purges":[],"conversations":[{"serial":1,"conversation":{"id":"c","tenant":"default","title":null,"titleFrom":null,"meta":null,"head":1,"chain":"a9f33fc18cf481917ef90e3fbf9ecc2a2cd3d6930ff3d612af4fed2c388a2933","version":0,"rewrites":0,"pins":[],"pinnedTo":0,"compaction":{"mode":null,"asked":null,"suspended":[]},"parent":null,"forkedFrom":null,"createdAt":1000},"events":[{"kind":"conversation-created","parent":null,"forkedFrom":null,"number":1,"at":1000},{"kind":"messages-appended","span":{"from":0,"to":1},"number":2,"at":1000}],"messages":[{"seq":0,"chain":"a9f33fc18cf481917ef90e3fbf9ecc2a2cd3d6930ff3d612af4fed2c388a2933","marks":[],"repeated":false,"message":{"body":"{\\"role\\":\\"user\\",\\"parts\\":[{\\"type\\":\\"text\\",\\"text\\":\\"Hello.\\"}]}","raw":null,"createdAt":1000,"origins":null,"key":null,"identityHash":"9a047e60a98eee3fc87949dade922fb8b5f277e1ce804c9a451097b8a0e0a9d5","contentHash":"9a047e60a98eee3fc87949dade922fb8b5f277e1ce804c9a451097b8a0e0a9d5","canonicalHash":"e793bd3e7769e1c73f7e4d4c98ef771510bc61fbe24c97228bb46a54a1261060","calls":[],"answers":[],"files":[]},"answered":[]}],"unanswered":[],"rows":[],"lastInheritedPosition":0}]}]}}`
