import { describe, expect, it } from 'vitest'
import { sampleWorld } from './sample-world.ts'
import { sampleOf } from './samples.ts'

const { operations, close } = await sampleWorld()
await close()

describe('every operation succeeds with an answer of its schema', () => {
  it.each(operations.map(({ id }) => id))('%s', async (id) => {
    const world = await sampleWorld()
    const operation = world.operations.find((each) => each.id === id)
    if (operation === undefined) throw new Error(id)
    const answer = await world.send(sampleOf(operation, world.facts))
    expect(operation.problemOf(answer)).toBeNull()
    expect([200, 201], answer.text).toContain(answer.status)
    await world.close()
  })
})
