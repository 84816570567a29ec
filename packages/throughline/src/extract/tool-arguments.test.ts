import { describe, expect, it } from 'vitest'
import { readArguments } from './tool-arguments.ts'

describe('readArguments', () => {
  it('reads a command that is a list of words, with or without its shell', () => {
    expect(readArguments('{"command":["bash","-lc","ls | wc"]}').shell).toBe('ls | wc')
    expect(readArguments('{"command":["/bin/zsh","-c","ls"]}').shell).toBe('ls')
    expect(readArguments('{"command":["cat","a b.txt"]}').shell).toBe("cat 'a b.txt'")
  })

  it('takes text that is no JSON for the input', () => {
    expect(readArguments('ls -la').text('input')).toBe('ls -la')
    expect(readArguments('{"path": "a.ts').path).toBeNull()
  })

  it('reads JSON that was written as a JSON text once more', () => {
    expect(readArguments(JSON.stringify(JSON.stringify({ path: 'a.ts' }))).path).toBe('a.ts')
  })

  it('distinguishes a path from an address', () => {
    expect(readArguments('{"uri":"file:///a/b.ts"}').path).toBe('/a/b.ts')
    expect(readArguments('{"uri":"https://example.org/a"}')).toMatchObject({
      path: null,
      address: 'https://example.org/a',
    })
  })

  it('reads several paths, bare or in records', () => {
    expect(readArguments('{"paths":["a.ts","b.ts"]}').paths).toEqual(['a.ts', 'b.ts'])
    expect(readArguments('{"files":[{"path":"a.ts"},7,null]}').paths).toEqual(['a.ts'])
  })

  it('leaves switches and sizes out of what the call is about', () => {
    const { values } = readArguments(
      '{"path":"a.ts","limit":500,"timeout":120000,"deep":{"id":42}}',
    )
    expect(values).toEqual(['a.ts', '42'])
  })

  it('takes a patch only where one begins', () => {
    expect(readArguments('{"diff":"--- a/x\\n+++ b/x\\n@@"}').patch).not.toBeNull()
    expect(readArguments('{"input":"--- title\\ntext"}').patch).toBeNull()
  })

  it('reads no prototype', () => {
    const given = readArguments('{"__proto__":{"path":"x"},"constructor":"c"}')
    expect(given.path).toBeNull()
    expect(given.text('toString')).toBeNull()
    expect(given.has('toString')).toBe(false)
    expect(Object.hasOwn(Object.prototype, 'path')).toBe(false)
  })

  it('is bounded for wide and deep JSON', () => {
    expect(readArguments(JSON.stringify(Array(100_000).fill('x'))).values.length).toBe(2_000)
    expect(readArguments('['.repeat(10_000) + ']'.repeat(10_000)).values).toEqual([])
  })
})
