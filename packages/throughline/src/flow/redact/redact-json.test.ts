import { describe, expect, it } from 'vitest'
import { redactJson } from './redact-message.ts'

/** Takes a word out, where it begins a line. */
const redact = (text: string) => text.replaceAll(/^hidden/gm, '[redacted: word]')

describe('JSON without secrets', () => {
  it('stays as it is written where there are none', () => {
    const json = '{ "id": 12345678901234567890, "text": "a\\nb" }'
    expect(redactJson(json, redact)).toBe(json)
  })

  it('finds secrets after an escaped line end', () => {
    expect(redactJson('{"a":["x\\nhidden"]}', redact)).toBe('{"a":["x\\n[redacted: word]"]}')
  })

  it('hides none in JSON that is a text of JSON', () => {
    const json = JSON.stringify(JSON.stringify({ a: 'x\nhidden' }))
    expect(redactJson(json, redact)).not.toContain('hidden')
  })

  it('may be no JSON', () => {
    expect(redactJson('hidden \\ {', redact)).toBe('[redacted: word] \\ {')
  })

  it('may be deeper than anybody reads, and name what every object has', () => {
    const deep = `${'['.repeat(100_000)}"\\n"${']'.repeat(100_000)}`
    expect(redactJson(deep, redact)).toBe(deep)
    expect(redactJson('{"__proto__":"x\\nhidden"}', redact)).toBe(
      '{"__proto__":"x\\n[redacted: word]"}',
    )
  })
})
