import { describe, expect, it } from 'vitest'
import { createThroughline } from './throughline.ts'

describe('a meter', () => {
  it('counts exactly where the tokenizer of the model is installed', async () => {
    const meter = await createThroughline().meter('openai/gpt-4o')
    expect(meter.tokenizer).toMatchObject({
      id: expect.stringContaining('o200k') as string,
      exact: true,
    })
    expect(meter.text('hello world')).toBe(2)
  })

  it('estimates where there is none, or where it is asked to', async () => {
    expect((await createThroughline().meter('anthropic/claude-sonnet-5-5')).tokenizer.exact).toBe(
      false,
    )
    const asked = createThroughline({ tokenizer: 'estimate' })
    expect((await asked.meter('openai/gpt-4o')).tokenizer.exact).toBe(false)
  })

  it('is refused where an exact count is asked for and cannot be had', async () => {
    const tl = createThroughline({ tokenizer: 'exact' })
    expect((await tl.meter('gpt-4o')).tokenizer.exact).toBe(true)
    await expect(tl.meter('claude-sonnet-5-5')).rejects.toMatchObject({ code: 'TOKENIZER_MISSING' })
  })

  it('uses a given tokenizer and model', async () => {
    const tokenizer = { id: 'characters', exact: true, count: (text: string) => text.length }
    const tl = createThroughline({ tokenizer, models: [{ id: 'house', contextWindowTokens: 999 }] })
    const meter = await tl.meter('house')
    expect([meter.text('four'), meter.card.contextWindowTokens]).toEqual([4, 999])
  })

  it('is the same one for the same model, so that counts are remembered', async () => {
    const tl = createThroughline()
    expect(await tl.meter('gpt-4o')).toBe(await tl.meter('gpt-4o'))
  })
})

describe('a conversation', () => {
  it('is read a page at a time, however long it is', async () => {
    const chat = createThroughline().conversation('long')
    const texts = Array.from({ length: 1_234 }, (_, index) => `${index}`)
    await chat.append(texts.map((content) => ({ role: 'user', content })))
    const seqs = (await Array.fromAsync(chat.messages({ from: 3 }))).map((message) => message.seq)
    expect([seqs.length, seqs[0], seqs.at(-1)]).toEqual([1_231, 3, 1_233])
  })

  it('is left as it is by an append of nothing', async () => {
    const chat = createThroughline().conversation('c')
    expect(await chat.append([])).toEqual({ head: 0, entries: [], usage: null })
    expect(await chat.info()).toBeNull()
  })

  it('refuses an option of append that there is not', async () => {
    const chat = createThroughline().conversation('c')
    const options = { idempotencyKey: 'x' } as object
    await expect(chat.append({ role: 'user', content: 'x' }, options)).rejects.toMatchObject({
      code: 'CONFIG_INVALID',
      message: 'append has no option "idempotencyKey"; it takes key, usage, of, head',
    })
  })

  it('says where a message is wrong', async () => {
    const chat = createThroughline().conversation('c')
    const content = [{ type: 'text', text: 7 }]
    await expect(
      chat.append([{ role: 'user', content: 'x' }, { role: 'user', content } as never]),
    ).rejects.toThrow('messages[1].content[0].text must be a string, got 7')
  })

  it('does not change with what the caller does to its objects afterwards', async () => {
    const chat = createThroughline().conversation('c')
    // A slice of a Buffer is no copy, so only these prove it.
    const data = Buffer.of(1, 2, 3)
    const raw = Buffer.of(4, 5, 6)
    const meta = { tags: ['a'] }
    await chat.append({
      role: 'user',
      content: [{ type: 'file', mediaType: 'x/y', data }],
      meta,
      raw,
    })
    data.fill(0)
    raw.fill(0)
    meta.tags.push('b')
    const [message] = await Array.fromAsync(chat.messages())
    const [part] = message?.parts ?? []
    const hash = part?.type === 'file' && part.source.kind === 'stored' ? part.source.sha256 : ''
    expect(await chat.file(hash)).toEqual(Uint8Array.of(1, 2, 3))
    expect(await chat.original(0)).toEqual(Uint8Array.of(4, 5, 6))
    expect(message?.meta).toEqual({ tags: ['a'] })
  })
})
