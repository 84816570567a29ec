import { describe, expect, it } from 'vitest'
import type { JsonObject, JsonValue } from '../../domain/json.ts'
import { structuredSchema } from './prompt.ts'

describe('the schema of structured summaries', () => {
  it('S1-050: is one that strict providers take', () => {
    for (const { type, properties, required, additionalProperties } of objectsIn(
      structuredSchema,
    )) {
      if (type !== 'object') continue
      expect(additionalProperties).toBe(false)
      expect(required).toEqual(Object.keys(properties as JsonObject))
    }
    expect(JSON.stringify(structuredSchema)).not.toMatch(/"(?:max|min)\w+"/)
  })

  it('S1-071…073: contains the caps', () => {
    const text = JSON.stringify(structuredSchema)
    for (const cap of [5_000, 30, 50, 80, 500, 400, 60]) expect(text).toContain(`t most ${cap} `)
  })
})

function objectsIn(value: JsonValue | undefined): readonly JsonObject[] {
  if (typeof value !== 'object' || value === null) return []
  const inside = Object.values(value).flatMap((each: JsonValue) => objectsIn(each))
  return Array.isArray(value) ? inside : [value as JsonObject, ...inside]
}
