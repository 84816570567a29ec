import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type NameRule, safeName } from './safe-name.ts'

const rule: NameRule = { pattern: /^[a-zA-Z0-9_-]+$/, maxLength: 64 }

// Of any code units, halves of characters too.
const anyUnit = fc.nat(0xffff).map((code) => String.fromCharCode(code))
const anyName = fc.oneof(
  fc.string({ unit: anyUnit, maxLength: 200, size: 'max' }),
  fc.string({
    unit: fc.constantFrom('a', 'Z', '9', '_', '-', '.', ' ', '🚀'),
    maxLength: 200,
    size: 'max',
  }),
)

describe('a safe name', () => {
  it('is the name itself if the pattern allows it', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[a-zA-Z0-9_-]{1,64}$/), (name) => {
        expect(safeName(name, rule)).toBe(name)
      }),
    )
  })

  it('matches the pattern and length, and is the same each time, for any name', () => {
    fc.assert(
      fc.property(anyName, (name) => {
        const safe = safeName(name, rule)
        expect(safe).toMatch(rule.pattern)
        expect(safe.length).toBeLessThanOrEqual(rule.maxLength)
        expect(safeName(name, rule)).toBe(safe)
        expect(safeName(safe, rule)).toBe(safe)
      }),
    )
  })

  it('starts with a letter, which some providers require', () => {
    const { pattern, maxLength } = { pattern: /^[a-zA-Z_][a-zA-Z0-9_.:-]*$/, maxLength: 64 }
    expect(safeName('9lives', { pattern, maxLength })).toMatch(pattern)
    expect(safeName('', { pattern, maxLength })).toMatch(pattern)
    expect(safeName('-x', { pattern, maxLength })).toMatch(pattern)
  })

  it('distinguishes names that become equal when characters are replaced', () => {
    const names = ['get.weather', 'get weather', 'get/weather', `${'x'.repeat(70)}1`]
    const longer = `${'x'.repeat(70)}2`
    const safe = [...names, longer].map((name) => safeName(name, rule))
    expect(new Set(safe).size).toBe(5)
  })

  it('still contains the readable part of the name', () => {
    expect(safeName('get.weather', rule)).toContain('get_weather')
  })
})
