import { describe, expect, it } from 'vitest'
import type { MessageInput } from '../packages/throughline/src/domain/message.ts'
import { measureRefetch, refetchRows, reopenedAfter } from './refetch.ts'
import { claudeSession, madeFile } from './survival.test-support.ts'

function call(name: string, input: object) {
  const message: MessageInput = {
    role: 'assistant',
    content: [{ type: 'tool-call', callId: `${name} ${JSON.stringify(input)}`, name, input }],
  }
  return { input: message, isAssistant: true, text: '' }
}

describe('files that are opened again', () => {
  it('are those that were read, edited or written before', () => {
    const before = [
      call('Read', { file_path: 'a' }),
      call('edit', { path: 'b' }),
      call('Write', { file_path: 'c' }),
      call('Grep', { path: 'd' }),
    ]
    const after = ['a', 'b', 'c', 'd', 'e'].map((path) => call('Read', { file_path: path }))
    const { calls, reopened } = reopenedAfter({ before, after })
    expect(calls).toBe(5)
    expect(reopened.map(({ path }) => path)).toEqual(['a', 'b', 'c'])
  })

  it('are read, not edited, within the next 30 calls', () => {
    const before = [call('Read', { file_path: 'a' })]
    const others = Array.from({ length: 29 }, () => call('Edit', { file_path: 'a' }))
    const again = call('Read', { file_path: 'a' })
    const count = (after: readonly ReturnType<typeof call>[]) =>
      reopenedAfter({ before, after }).reopened.length
    expect(count([...others, again])).toBe(1)
    expect(count([...others, call('Bash', {}), again])).toBe(0)
  })
})

describe('bench refetch', () => {
  it('counts files that are named, named with an anchor, shown, or one expand away', async () => {
    const text = claudeSession({ seed: 'one', steps: 140, compactedBefore: 90 })
    const rows = await refetchRows([madeFile('one.jsonl', text)])
    const of = (method: string, size: number, unit: string) =>
      rows.find((row) => row.method === method && row.size === size && row.unit.includes(unit))
        ?.value
    expect(rows[0]).toMatchObject({ source: 'made', value: 20, n: 30 })
    expect(new Set(rows.map(({ size }) => size))).toEqual(new Set([300, 15_000, 45_000]))
    expect(of('tail', 45_000, 'names the file')).toBe(20)
    expect(of('tail', 45_000, 'with an anchor')).toBe(0)
    expect(of('tail', 300, 'shows the lines')).toBe(0)
    expect(of('tail', 45_000, 'shows the lines')).toBeGreaterThan(0)
    expect(of('throughline', 15_000, 'with an anchor')).toBeGreaterThan(0)
    expect(of('throughline', 15_000, 'with one expand')).toBeGreaterThan(
      of('throughline', 15_000, 'shows the lines') ?? 0,
    )
  })

  it('needs a folder', async () => {
    const asked = measureRefetch({ dataDir: null })
    await expect(asked).rejects.toMatchObject({ code: 'CONFIG_INVALID' })
  })
})
