import { expect, it } from 'vitest'
import { installedTexts } from './corpus.ts'

it('has no installed texts if nothing is installed', () => {
  expect([...installedTexts('/nowhere/node_modules')]).toEqual([])
})
