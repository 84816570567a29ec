import { describe, expect, it } from 'vitest'
import { defaults } from '../../defaults-data.ts'
import type { Message, MessageInput } from '../../domain/message.ts'
import { sha256 } from '../../system.ts'
import { sealMessages } from '../append/append.ts'
import { textOfParts } from '../text/readable-text.ts'
import { redactLogMessage } from './redact-message.ts'

const most = defaults.derivedCharacters
const words = (characters: number) => 'some plain words, '.repeat(Math.ceil(characters / 18))

function derived(content: MessageInput['content'], role: Message['role'] = 'user') {
  const [message] = sealMessages([{ role, content }], sha256)
  if (message === undefined) throw new Error('one message was sealed')
  return redactLogMessage(message).message.parts
}

describe('what is derived from a giant message', () => {
  it('comes from its beginning and its end', () => {
    const text = textOfParts(derived(`It begins. ${words(most * 2)} It ends.`))
    expect(text.length).toBeLessThan(most + 100)
    expect(text).toMatch(/^It begins\. some plain/)
    expect(text).toMatch(/\[… \d,\d{3},\d{3} characters left out …\]/)
    expect(text).toMatch(/words, {2}It ends\.$/)
  })

  it('comes from all of one that is not too long', () => {
    const text = words(most - 20)
    expect(textOfParts(derived(text))).toBe(text)
  })

  it('contains no half of a secret at the cut', () => {
    const lines = 'a1B2c3D4e5F6g7H8'.repeat(4)
    const key = [
      '-----BEGIN PRIVATE KEY-----',
      ...Array.from({ length: 40 }, () => lines),
      '-----END PRIVATE KEY-----',
    ].join('\n')
    for (const at of [most / 2 - 1_500, most / 2 + 60_000]) {
      const text = textOfParts(
        derived(
          `${words(at).slice(0, at)}\n${key}\n${words(most)}\n${key}\n${words(at).slice(0, at)}`,
        ),
      )
      expect(text).not.toContain(lines.slice(0, 16))
    }
  })

  it('still has the path of a file whose text is a giant', () => {
    const input = { path: 'src/large.ts', content: words(most * 2) }
    const [part] = derived([{ type: 'tool-call', callId: 'a', name: 'write', input }], 'assistant')
    if (part?.type !== 'tool-call') throw new Error('it was a call')
    expect(part.input.length).toBeLessThan(most)
    expect(JSON.parse(part.input)).toMatchObject({ path: 'src/large.ts' })
  })

  it('comes from every one of its parts', () => {
    const parts = ['small', ...Array.from({ length: 8 }, (_, at) => `${at} ${words(most / 4)}`)]
    const texts = derived(parts.map((text) => ({ type: 'text', text }))).map((part) =>
      part.type === 'text' ? part.text : '',
    )
    expect(texts[0]).toBe('small')
    for (const [at, text] of texts.slice(1).entries()) expect(text).toMatch(`${at} some plain`)
    expect(texts.join('').length).toBeLessThan(most + 8 * 100)
  })
})
