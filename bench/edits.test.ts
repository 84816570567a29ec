import { describe, expect, it } from 'vitest'
import { contentText } from '../packages/throughline/src/cli/simulation/survival-along.ts'
import type { MessageInput } from '../packages/throughline/src/domain/message.ts'
import { editRows, editsAfter, measureEdits } from './edits.ts'
import { claudeSession, madeFile } from './survival.test-support.ts'

function scored(input: MessageInput) {
  return { input, isAssistant: input.role === 'assistant', text: contentText(input.content) }
}

function edit(oldText: string, name = 'Edit', field = 'old_string') {
  const input = { file_path: 'a.ts', [field]: oldText, new_string: 'new' }
  return scored({
    role: 'assistant',
    content: [{ type: 'tool-call', callId: 'c', name, input }],
  })
}

const shown = (text: string) => scored({ role: 'tool', content: text })

describe('edits after a cut', () => {
  const text = '    1→const a\n    2→const b'

  it('need text from before it, whatever the line numbers were', () => {
    const after = [edit('const a\nconst b'), edit('const c')]
    expect(editsAfter({ text, after })).toEqual({ all: 2, oldTexts: ['const a\nconst b'] })
  })

  it('do not need text that was shown again in between', () => {
    const after = [edit('const b'), edit('const b'), shown(text), edit('const a\nconst b')]
    expect(editsAfter({ text, after })).toEqual({ all: 3, oldTexts: ['const b'] })
  })

  it('are edits of any supported agent, and nothing else', () => {
    const after = [edit('const a', 'edit', 'oldText'), edit('const b', 'Grep'), edit('')]
    expect(editsAfter({ text, after })).toEqual({ all: 1, oldTexts: ['const a'] })
  })
})

describe('bench edits', () => {
  it('gives the same figures as the Python definition for the tail, and ours beside', async () => {
    const rows = await editRows([
      madeFile('one.jsonl', claudeSession({ seed: 'one', steps: 140, compactedBefore: 90 })),
      madeFile('two.jsonl', claudeSession({ seed: 'two', steps: 80, compactedBefore: null })),
    ])
    const found = 'edits that find it in the context'
    const of = (method: string, size: number, unit: string) =>
      rows.find((row) => row.method === method && row.size === size && row.unit === unit)
    expect(of('tail', 15_000, 'edits that need text from before the cut')).toMatchObject({
      source: 'made',
      value: 18,
      n: 46,
    })
    expect(of('tail', 15_000, found)).toMatchObject({ value: 15, n: 18 })
    expect(of('tail', 45_000, found)).toMatchObject({ value: 18, n: 18 })
    expect(of('throughline', 45_000, found)).toMatchObject({ value: 18, n: 18 })
    // Text that is not shown there is in stubs, each with an anchor to the whole.
    const away = of('throughline', 15_000, 'edits that find it with one expand')
    expect(away?.value).toBeGreaterThan(0)
    expect(of('throughline', 15_000, 'edits with the text or an anchor')?.value).toBe(
      (of('throughline', 15_000, found)?.value ?? 0) + (away?.value ?? 0),
    )
  })

  it('needs a folder', async () => {
    await expect(measureEdits({ dataDir: null })).rejects.toMatchObject({ code: 'CONFIG_INVALID' })
  })
})
