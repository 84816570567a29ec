import { describe, expect, it } from 'vitest'
import { literalsInOutput } from './output-literals.ts'

function literals(text: string): readonly string[] {
  return literalsInOutput(text).map(({ kind, text: name }) => `${kind} ${name}`)
}

describe('literalsInOutput', () => {
  it.each([
    [
      'open src/a.ts and ./b/c.tsx, /etc/hosts',
      'path src/a.ts',
      'path ./b/c.tsx',
      'path /etc/hosts',
    ],
    ['{ ...fooBar } ../a/b.ts', 'symbol fooBar', 'path ../a/b.ts'],
    ['C:\\Users\\ada\\x.txt', 'path C:\\Users\\ada\\x.txt'],
    ['@scope/package and ~/x/y', 'path @scope/package', 'path ~/x/y'],
    [
      'package.json, README.md. .gitignore',
      'file package.json',
      'file README.md',
      'file .gitignore',
    ],
    [
      'fooBar FooBar foo_bar MAX_SIZE HTTPServer',
      'symbol fooBar',
      'symbol FooBar',
      'symbol foo_bar',
      'symbol MAX_SIZE',
      'symbol HTTPServer',
    ],
    ['message.parts.flatMap(x) this.#innerField', 'symbol flatMap', 'symbol innerField'],
    ['std::fooBar __init__ _private', 'symbol fooBar', 'symbol __init__', 'symbol _private'],
    ['commit a1b2c3d4 and deadbeef', 'hash a1b2c3d4'],
    ['id 550e8400-e29b-41d4-a716-446655440000', 'id 550e8400-e29b-41d4-a716-446655440000'],
    ['ABC-123 #412 order_82hj2 KQ37XB', 'id ABC-123', 'id #412', 'id order_82hj2', 'id KQ37XB'],
    ['v1.2.3 2.0.0-rc.1 v24', 'version v1.2.3', 'version 2.0.0-rc.1', 'version v24'],
    ['port 8080, 12 rows, 0.25', 'number 8080', 'number 0.25'],
    ['2026-03-12T10:00:00Z', 'date 2026-03-12'],
    ['at https://example.com/a/b?c=d#e.', 'url https://example.com/a/b?c=d#e'],
    ['ada@example.org 10.0.0.1', 'email ada@example.org', 'host 10.0.0.1'],
    ['gpt-4o-mini is well-known', 'symbol gpt-4o-mini'],
    ['größeTabelle', 'symbol größeTabelle'],
  ])('finds what is named: %s', (text, ...expected) => {
    expect(literals(text)).toEqual(expected)
  })

  it.each([
    ['The Plan changed. And/or it did not; Ada went home - twice.'],
    ['ERROR README IDs PRs'],
    ['</div> <br/> // -- ++ ... ___ --- ==='],
    ['12 rows in 34 ms, 120ms'],
    ['{ ...reminder, [...days] } and so on ...then'],
    [''],
  ])('finds nothing in plain words and marks: %s', (text) => {
    expect(literals(text)).toEqual([])
  })

  it.each([
    ['  160→const x = fooBar\n  161→y', 'symbol fooBar'],
    ['160:fooBar\n161-around', 'symbol fooBar'],
    ['   160\tfooBar', 'symbol fooBar'],
    ['160 | fooBar', 'symbol fooBar'],
    ['src/a.ts:160:7: fooBar', 'path src/a.ts', 'symbol fooBar'],
    ['main.go:1200: 4711', 'file main.go', 'number 4711'],
  ])('leaves out the numbers of lines: %j', (text, ...expected) => {
    expect(literals(text)).toEqual(expected)
  })

  it('keeps a number that begins a line', () => {
    expect(literals('4711 is it')).toEqual(['number 4711'])
  })

  it('counts how often each is named', () => {
    expect(literalsInOutput('fooBar a.ts fooBar. fooBar(').map(({ uses }) => uses)).toEqual([3, 1])
  })

  it('reads the line breaks of JSON as such', () => {
    expect(literals('{"text":"a\\nfoo_bar\\tbaz_qux"}')).toEqual([
      'symbol foo_bar',
      'symbol baz_qux',
    ])
  })

  it('finds the file of a line around a match, not one name for each line', () => {
    const found = literalsInOutput(
      'src/harbour-plan.ts-12-  const anchorTime = 3\nsrc/harbour-plan.ts-13-\nplan.go-14-',
    ).map(({ text }) => text)
    expect(found).toEqual(['src/harbour-plan.ts', 'anchorTime', 'plan.go'])
  })

  it('finds no name in an escaped line break', () => {
    const found = literalsInOutput('print("Ready.\\nThis is it, \\nreadAll")')
    expect(found.map(({ text }) => text)).not.toContain('nThis')
  })
})
