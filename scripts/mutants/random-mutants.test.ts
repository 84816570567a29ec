import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { mutatedRooms } from './listed-files.ts'
import { randomMutants } from './random-mutants.ts'

const root = join(import.meta.dirname, '../..')
const rooms = Object.keys(mutatedRooms)

it('draws the same distinct mutants for a seed, from each room in turn', () => {
  const drawn = randomMutants(root, rooms, { seed: '1', count: 40 })
  expect(drawn).toHaveLength(40)
  expect(new Set(drawn.map(({ text }) => text)).size).toBe(40)
  expect(drawn).toEqual(randomMutants(root, rooms, { seed: '1', count: 40 }))
  expect(drawn).not.toEqual(randomMutants(root, rooms, { seed: '2', count: 40 }))
  for (const [index, { file, from, to }] of drawn.slice(0, rooms.length).entries()) {
    expect(file.slice('packages/throughline/src/'.length)).toMatch(
      mutatedRooms[rooms[index] ?? ''] ?? /-/,
    )
    expect(from).not.toBe(to)
  }
})

it('keeps the parentheses around operands, so that a mutant can run', () => {
  const openParentheses = (text: string) => text.split('(').length - text.split(')').length
  // A removed statement may contain a text with one parenthesis, such as `[0, 4)`.
  const drawn = randomMutants(root, rooms, { seed: '1', count: 1_000 })
  const broken = drawn
    .filter(({ to }) => to !== ';')
    .filter(
      ({ file, text }) =>
        openParentheses(text) !== openParentheses(readFileSync(join(root, file), 'utf8')),
    )
  expect(broken).toEqual([])
})

it('replaces code by code, also where a method has the name of one of all objects', () => {
  const drawn = randomMutants(root, rooms, { seed: '1', count: 5_000 })
  expect(drawn.filter(({ to }) => typeof to !== 'string' || to.includes('[native'))).toEqual([])
})
