import { describe, expect, it } from 'vitest'
import { titleOf, titleSource } from './title.ts'

const said = (content: string, meta?: { readonly [key: string]: true }) =>
  ({ role: 'user', content, ...(meta && { meta }) }) as const

describe('a title', () => {
  it('is made from what was typed, not from what a tool says of itself', () => {
    const caveat = said('Caveat: what follows was made by commands.', { isMeta: true })
    const summary = said('This continues a session that ran out of room.', { compactSummary: true })
    const typed = said('Mend the gate.')
    expect(titleSource([caveat, said('<note>x</note>'), summary, typed])).toBe(typed)
    expect(titleSource([said('# Rules'), summary])).toBe(summary)
    expect(titleSource([said('<b>'), said('# Rules', { isMeta: true })])).toEqual(said('<b>'))
    expect(titleSource([{ role: 'assistant', content: 'Hello.' }, said(' ')])).toBeNull()
  })

  it('is never cut inside a character, wherever one begins', () => {
    for (const sign of ['\u{1f600}', 'e\u0301', '\u{1f468}\u200d\u{1f469}\u200d\u{1f467}'])
      for (let before = 40; before <= 90; before += 1) {
        const title = titleOf(said(`${'x'.repeat(before)}${sign.repeat(30)}`)) ?? ''
        expect(title.isWellFormed()).toBe(true)
        expect(title.replace(/^x+/, '').replaceAll(sign, '')).toBe('…')
      }
  })

  it('holds no secret, also not half of one', () => {
    const key = `sk-proj-${'Ab3dE6'.repeat(12)}`
    expect(titleOf(said(`my key is ${key}`))).not.toContain('Ab3dE6')
    const pem = `-----BEGIN PRIVATE KEY-----\n${'MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQDZ3v7xk2q5Yp1L\n'.repeat(50)}-----END PRIVATE KEY-----`
    expect(titleOf(said(pem))).not.toContain('MIIE')
  })
})
