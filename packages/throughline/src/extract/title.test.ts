import { describe, expect, it } from 'vitest'
import { titleOf, titleSource } from './title.ts'

const userMessage = (content: string, meta?: { readonly [key: string]: true }) =>
  ({ role: 'user', content, ...(meta && { meta }) }) as const

describe('a title', () => {
  it('uses text that a user typed, not notes of a tool', () => {
    const caveat = userMessage('Caveat: what follows was made by commands.', { isMeta: true })
    const summary = userMessage('This continues a session that ran out of room.', {
      compactSummary: true,
    })
    const typed = userMessage('Mend the gate.')
    expect(titleSource([caveat, userMessage('<note>x</note>'), summary, typed])).toBe(typed)
    expect(titleSource([userMessage('# Rules'), summary])).toBe(summary)
    expect(titleSource([userMessage('<b>'), userMessage('# Rules', { isMeta: true })])).toEqual(
      userMessage('<b>'),
    )
    expect(titleSource([{ role: 'assistant', content: 'Hello.' }, userMessage(' ')])).toBeNull()
  })

  it('is never cut inside a character, wherever one begins', () => {
    for (const sign of ['\u{1f600}', 'e\u0301', '\u{1f468}\u200d\u{1f469}\u200d\u{1f467}'])
      for (let before = 40; before <= 90; before += 1) {
        const title = titleOf(userMessage(`${'x'.repeat(before)}${sign.repeat(30)}`)) ?? ''
        expect(title.isWellFormed()).toBe(true)
        expect(title.replace(/^x+/, '').replaceAll(sign, '')).toBe('…')
      }
  })

  it('contains no secret, and no half of one', () => {
    const key = `sk-proj-${'Ab3dE6'.repeat(12)}`
    expect(titleOf(userMessage(`my key is ${key}`))).not.toContain('Ab3dE6')
    const pem = `-----BEGIN PRIVATE KEY-----\n${'MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQDZ3v7xk2q5Yp1L\n'.repeat(50)}-----END PRIVATE KEY-----`
    expect(titleOf(userMessage(pem))).not.toContain('MIIE')
  })
})
