import { describe, expect, it } from 'vitest'
import { containsName, identifiersOf } from './survival-along.ts'

function found(text: string, folder = ''): readonly string[] {
  return [...identifiersOf(text, folder)]
}

describe('identifiers', () => {
  it.each([
    ['a path', 'see src/flow/stub.ts now', ['src/flow/stub.ts']],
    ['a path without dots and slashes around it', './src/a/.', ['src/a']],
    ['a file name', 'open README.md, not README.markdown', ['README.md']],
    ['a hash of 7 to 40 digits', 'deadbee and deadbe', ['deadbee']],
    ['a name with humps', 'call readTranscript or Transcript', ['readTranscript']],
    ['a name with underscores', 'set old_string and old', ['old_string']],
    ['a number of three or more digits', '12 and 123', ['123']],
  ])('are %s', (_, text, names) => {
    expect(found(text)).toEqual(names)
  })

  it('end where words of any script end, as in Python', () => {
    expect(found('éreadTranscript 1234é')).toEqual([])
    expect(found('größe/maß.ts')).toEqual(['größe/maß.ts'])
    expect(found('٣٤٥')).toEqual(['٣٤٥'])
  })

  it('are listed once, however often they occur', () => {
    expect(found('123 123')).toEqual(['123'])
  })

  it('are relative to the working folder, which itself is none', () => {
    const folder = '/home/dev/project/'
    expect(found('/home/dev/project/src/a.ts', folder)).toEqual(['src/a.ts'])
    expect(found('cd /home/dev/project', folder)).toEqual([])
    expect(found('/home/dev/projects/a.ts', folder)).toEqual(['home/dev/projects/a.ts'])
  })
})

describe('a name', () => {
  it('is found in a text; a path also by its file name', () => {
    expect(containsName('src/a.ts', 'in lib/a.ts')).toBe(true)
    expect(containsName('src/a.ts', 'in src/b.ts')).toBe(false)
    expect(containsName('readFile', 'readFileSync')).toBe(true)
    expect(containsName('readFile', 'readfile')).toBe(false)
  })
})
