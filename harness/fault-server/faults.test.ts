import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { modelFaults } from './faults.ts'

const page = readFileSync(join(import.meta.dirname, '../../docs/testing.md'), 'utf8')

it('lists every fault in its documentation, and no other', () => {
  const table = page.slice(page.indexOf('### The faults'), page.indexOf('### What it refuses'))
  const rows = table.split('\n').filter((line) => /^\|.*`/.test(line))
  const listed = rows.flatMap((row) => {
    const column = row.split('|')[2] ?? ''
    return [...column.matchAll(/`([^`]+)`/g)].map(([, name]) => name)
  })
  expect(listed.toSorted()).toEqual([...modelFaults].toSorted())
})
