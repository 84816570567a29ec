import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { detectFormat } from '../detect-format.ts'
import { goldenOf, itemsOf, messagesOf } from '../items.test-support.ts'
import { samples } from '../samples.test-support.ts'
import { storeItems } from '../store-items.test-support.ts'

async function messageLines(text: string): Promise<readonly string[]> {
  const messages = await messagesOf(text, { format: 'text' })
  return messages.map(({ message }) => `${message.role}: ${String(message.content)}`)
}

describe('plain talk', () => {
  it('reads speakers and their messages, which may span several lines', async () => {
    expect(await goldenOf(samples.text, { name: 'n' })).toBe(`
conversation n
n line:1 user: How many sheep – 羊?
n line:3 assistant: Seven.
All of them are well 🐑
`)
  })

  it.each([
    ['colons', 'Human: a\nAI: b'],
    ['capitals', 'USER: a\nASSISTANT: b'],
    ['small letters', 'user: a\nassistant: b'],
    ['what a browser copies', 'You said:\na\nChatGPT said:\nb'],
    ['headings', '## User\n\na\n\n## Assistant\n\nb'],
    ['headings with signs', '### 🧑 You:\na\n---\n### 🤖 ChatGPT:\nb'],
    ['bold names', '**You:** a\n\n**Claude:** b'],
    ['bold names, the colon behind', '**Human**: a\n***\n**GPT**: b'],
    ['times', 'User (2026-01-02 03:04): a\nAssistant [2026-01-02 03:05]: b'],
  ])('knows labels written as %s', async (_, text) => {
    expect(detectFormat(text)).toBe('text')
    expect(await messageLines(text)).toEqual(['user: a', 'assistant: b'])
  })

  it('keeps a time only if it parses alike on every machine', async () => {
    const text = 'User (2026-01-02 03:04): a\nAssistant (5): b'
    const times = (await messagesOf(text)).map(({ message }) => message.createdAt)
    expect(times).toEqual([Date.UTC(2026, 0, 2, 3, 4), undefined])
  })

  it('ignores labels inside code, and labels in another form than the first', async () => {
    const text = [
      'User: See:',
      '```yaml',
      'User: admin',
      'AI: none',
      '```',
      'user: key of a file',
      '## Assistant',
      '> AI: quoted',
      '  Assistant: indented',
      'Assistant: Seen.',
    ].join('\n')
    const [first, ...others] = await messageLines(text)
    expect(first?.split('\n')).toHaveLength(9)
    expect(others).toEqual(['assistant: Seen.'])
  })

  it('keeps blank lines, and drops a horizontal rule between two messages', async () => {
    const text = '## You\n\na\n\n\n  b\n\n---\n\n## AI\n\n---\nc\n'
    expect(await messageLines(text)).toEqual(['user: a\n\n\n  b', 'assistant: ---\nc'])
  })

  it('uses a heading as the title, and keeps other text before the first label', async () => {
    const [conversation] = await itemsOf('# The farm\n\nSaved in May.\n\nUser: a\nAI: b')
    expect(conversation).toMatchObject({
      title: 'The farm',
      meta: { preamble: 'Saved in May.' },
    })
  })

  it('reports an unclosed code block, and a text without labels', async () => {
    expect(await goldenOf('User: a\nAI: ```\nx\nUser: b', { format: 'text', name: 'n' })).toBe(`
conversation n
n line:1 user: a
n line:2 assistant: \`\`\`
x
User: b
problem 2: a block of code begins here and does not end
`)
    expect(await goldenOf('hello\nworld', { format: 'text' })).toBe(
      '\nproblem 1: no line says who speaks\n',
    )
  })

  it('is not detected if only one side speaks, unless the text continues', () => {
    for (const text of ['User: a', 'AI: b\nAI: c', 'Name: x\nModel: y', 'user: a\nAssistant: b'])
      expect(detectFormat(text)).toBeNull()
    expect(detectFormat(`User: ${'long '.repeat(20_000)}`)).toBe('text')
    expect(detectFormat(`x\nUser: ${'long '.repeat(20_000)}`)).toBeNull()
  })

  it('yields only items that the engine accepts, in linear time, for any text', async () => {
    const pieces = fc.constantFrom(
      ...['User: ', 'AI:', '## You', '**AI:**', '```', '~~~~', '\n', '\n\n', '---\n', '# t\n'],
      ...[' ', 'a', '\u0000', '\ud83d', '\u2028', 'User (', '*'.repeat(50), ' '.repeat(500)],
    )
    await fc.assert(
      fc.asyncProperty(fc.array(pieces, { maxLength: 40 }), async (parts) => {
        await storeItems(await itemsOf(parts.join(''), { format: 'text' }))
      }),
      { numRuns: 300 },
    )
    const hostile = ['#'.repeat(9), ' ', 'User', ' (', '**', '`', '\n'].map((piece) =>
      piece.repeat(200_000),
    )
    for (const text of hostile) await itemsOf(`User: a\nAI: ${text}`, { format: 'text' })
  })
})
