import { expect, it } from 'vitest'
import { fileTypeOf } from './code-outline.ts'

it.each([
  ['/src/app.ts', 'typescript'],
  ['a.mjs', 'javascript'],
  ['C:\\work\\a.PY', 'python'],
  ['main.go', 'go'],
  ['Dockerfile', 'dockerfile'],
  ['.env', 'unknown'],
  ['a.constructor', 'constructor'],
  ['LICENSE', 'unknown'],
  ['', 'unknown'],
])('S2-021: the type of %j', (path, type) => {
  expect(fileTypeOf(path)).toBe(type)
})
