import { describe, expect, it } from 'vitest'
import type { FileOperation } from '../../domain/ledger.ts'
import type { MessageInput } from '../../domain/message.ts'
import { sha256 } from '../../system.ts'
import { build } from '../../testing/build.ts'
import { sealMessages } from '../append/append.ts'
import {
  isStale,
  modifiedFiles,
  operationOf,
  recentFiles,
  trackFiles,
  wasModified,
} from './track-files.ts'

const track = (messages: Iterable<MessageInput>) => trackFiles(sealMessages([...messages], sha256))
const paths = (files: readonly { readonly path: string }[]) => files.map(({ path }) => path)

const conversation = build()
  .user('Go.')
  .calls('read_file', { path: 'a.ts' })
  .result('one\ntwo\n')
  .calls('write_file', { path: 'b.ts', content: 'x' })
  .result('written')
  .calls('edit_file', { file_path: 'a.ts' })
  .result('edited')
  .calls('read_file', { path: 'a.ts' })
  .result('one\nTWO\nthree')

describe('tracked files', () => {
  it('P2-005: say path, last use, whether changed, lines and how they begin', () => {
    expect(track(conversation).files.get('a.ts')).toEqual({
      path: 'a.ts',
      operation: 'read',
      lastSeq: 8,
      lastStep: 4,
      lastTime: 0,
      modified: true,
      modifiedSeq: 6,
      lineCount: 3,
      preview: 'one\nTWO\nthree',
    })
    const long = build().calls('read', { path: 'l' }).result('y'.repeat(900))
    expect(track(long).files.get('l')?.preview).toHaveLength(200)
  })

  it('P2-006, P2-012: a change is sticky: read, edited, read again is modified', () => {
    const tracked = track(conversation)
    expect(wasModified(tracked, 'a.ts')).toBe(true)
    expect(wasModified(track(build().calls('read', { path: 'a.ts' }).result('x')), 'a.ts')).toBe(
      false,
    )
    expect(wasModified(tracked, 'nobody.ts')).toBe(false)
  })

  it('P2-006: are listed newest first, and the changed ones alone', () => {
    const more = conversation.calls('read', { path: 'c.ts' }).result('x')
    expect(paths(recentFiles(track(more)))).toEqual(['c.ts', 'a.ts', 'b.ts'])
    expect(paths(modifiedFiles(track(more)))).toEqual(['a.ts', 'b.ts'])
  })

  it('P2-006: are stale by age', () => {
    const tracked = track(conversation)
    expect(isStale(tracked, 'b.ts', { step: 7, stepsMax: 5 })).toBe(false)
    expect(isStale(tracked, 'b.ts', { step: 8, stepsMax: 5 })).toBe(true)
    expect(isStale(tracked, 'nobody.ts', { step: 1, stepsMax: 5 })).toBe(true)
  })

  it('P2-012: are built from the history, the same each time', () => {
    expect(track(conversation)).toEqual(track(conversation))
    expect(paths(recentFiles(track(conversation)))).toEqual(['a.ts', 'b.ts'])
  })

  it('were not changed by what failed, or has not happened yet', () => {
    const failed = build().calls('edit', { path: 'a.ts' }).result('no', { isError: true })
    expect(track(failed.calls('edit', { path: 'b.ts' })).files.size).toBe(0)
  })
})

describe('the operation of a tool', () => {
  it.each([
    ['create_file', 'create'],
    ['WriteFile', 'create'],
    ['Edit', 'edit'],
    ['MultiEdit', 'edit'],
    ['modify-file', 'edit'],
    ['delete_file', 'delete'],
    ['removeFile', 'delete'],
    ['read', 'read'],
    ['readfile', 'read'],
    ['get_file_contents', 'read'],
    ['bash', null],
    ['already', null],
    ['targets', null],
  ] satisfies [string, FileOperation | null][])('P2-007: of %s is %s', (name, operation) => {
    expect(operationOf(name, null)).toBe(operation)
  })

  it('is what one tool for all is asked for', () => {
    expect(operationOf('str_replace_based_edit_tool', '{"command":"view"}')).toBe('read')
    expect(operationOf('str_replace_based_edit_tool', '{"command":"str_replace"}')).toBe('edit')
    expect(operationOf('read', '{"command":"rm -r edit"}')).toBe('read')
  })
})

describe('the path of a file', () => {
  const pathOf = (input: unknown, output: string) => [
    ...track(build().calls('read_file', input).result(output)).files.keys(),
  ]

  it('B2-9: is in the arguments of the call, before anything that the result says', () => {
    expect(pathOf({ path: 'a.ts' }, 'File: b.ts')).toEqual(['a.ts'])
    for (const field of ['file', 'filePath', 'file_path', 'filename', 'notebook_path'])
      expect(pathOf({ [field]: 'a.ts' }, '')).toEqual(['a.ts'])
  })

  it('P2-007: is else in the text or the JSON of the result', () => {
    expect(pathOf({}, 'ok\nFile: src/b.ts\ntext')).toEqual(['src/b.ts'])
    expect(pathOf({}, 'Path: src/b.ts')).toEqual(['src/b.ts'])
    for (const field of ['path', 'file', 'filePath'])
      expect(pathOf({}, JSON.stringify({ [field]: 'c.ts' }))).toEqual(['c.ts'])
    expect(pathOf({}, 'nothing of the kind')).toEqual([])
  })

  it('is found before megabytes that are written, and not inside of them', () => {
    const content = '"path": "no.ts" '.repeat(10_000)
    const calls = (input: object) => track(build().calls('write', input).result('ok')).files
    expect([...calls({ path: 'a.ts', content }).keys()]).toEqual(['a.ts'])
    expect([...calls({ content }).keys()]).toEqual([])
  })

  it.each([['https://example.org/a'], ['a\nb'], [''], [7], [{ path: 'x' }]])(
    'is not %o',
    (path) => {
      expect(pathOf({ path }, '')).toEqual([])
    },
  )
})
