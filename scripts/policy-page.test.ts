import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv } from 'ajv'
import { describe, expect, it } from 'vitest'
import { policySchema } from '../packages/throughline/src/policies/policy-schema.ts'
import { policies } from '../packages/throughline/src/policies/presets.ts'
import { readPolicy } from '../packages/throughline/src/policies/read-policy.ts'
import { settingsSchema } from '../packages/throughline/src/policies/settings-schema.ts'
import { filledDocument } from './filled-document.ts'
import { everySetting, jsonSchemas, policyTables, sentenceOf } from './policy-page.ts'

const root = join(import.meta.dirname, '..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')

describe('the settings of a policy', () => {
  it('are at most twelve, and the rest is advanced', () => {
    const names = Object.keys(policySchema.entries)
    expect(names).toContain('advanced')
    expect(names.length).toBeLessThanOrEqual(12)
  })

  it('all have a sentence', () => {
    const settings = [...everySetting(policySchema), ...everySetting(settingsSchema)]
    expect(settings.length).toBeGreaterThan(130)
    const wrong = settings.filter(
      ([, entry]) => !/^[A-Z][^.]*(?:\.\w[^.]*)*\.$/.test(sentenceOf(entry)),
    )
    expect(wrong.map(([path, entry]) => `${path}: ${sentenceOf(entry)}`)).toEqual([])
  })

  it('have the same sentences in the types as in the schema', () => {
    const text = read('packages/throughline/src/policies/policy-input.ts')
    const documented = [...text.matchAll(/\/\*\* (.*) \*\/\n {2}readonly (\w+)\??:/g)]
    const explained = documented.map(([, sentence, name]) => `${name}: ${sentence}`)
    const advanced = everySetting(policySchema).filter(([path]) => /^\.advanced\.\w+$/.test(path))
    const own = Object.entries(policySchema.entries)
    expect(explained).toEqual(
      [...own, ...advanced].map(
        ([path, entry]) => `${path.split('.').at(-1)}: ${sentenceOf(entry)}`,
      ),
    )
  })

  it('are in the document as in the schema', () => {
    const document = read('docs/policies.md')
    expect(filledDocument(document, policyTables())).toBe(document)
    expect(document).toContain(
      "| `advanced.trim.order` | `'share'` | Whether each message gets a share",
    )
  })
})

describe('the JSON Schemas', () => {
  const [policy, config] = [...jsonSchemas().values()].map((schema) =>
    new Ajv({ allErrors: true, strict: false }).compile(schema),
  )

  it.each(Object.keys(policies))(
    'accept the policy %s, directly and in a settings file',
    (name) => {
      const preset = policies[name as keyof typeof policies]
      expect([policy?.(preset), policy?.errors]).toEqual([true, null])
      for (const chosen of [name, preset])
        expect([config?.({ $schema: './x.json', policy: chosen }), config?.errors]).toEqual([
          true,
          null,
        ])
    },
  )

  it.each(['share', 'priority', 'age'])('accept the trim order %s, as the engine does', (order) => {
    const given = { name: 'x', advanced: { trim: { order } } }
    expect(policy?.(given)).toBe(true)
    expect(readPolicy(given).trim.order).toBe(order)
  })

  it('refuse what the engine refuses', () => {
    for (const wrong of [
      {},
      { name: 'x', trigers: [] },
      { name: 'x', guards: {} },
      { name: 'x', triggers: [{ kind: 'mood' }] },
      { name: 'x', triggers: [{ kind: 'any', of: [{ kind: 'turns', since: 0 }] }] },
      { name: 'x', target: { ratio: 2 } },
      { name: 'x', keepRecent: { messages: 1 } },
      { name: 'x', advanced: { pinUserMessages: { ratio: 0.6 } } },
      { name: 'x', advanced: { trim: { order: 'size' } } },
    ]) {
      expect([wrong, policy?.(wrong)]).toEqual([wrong, false])
      expect([wrong, config?.({ policy: wrong })]).toEqual([wrong, false])
    }
    expect(config?.({ policy: 'zen' })).toBe(false)
    expect(config?.({ models: { house: { contextWindowTokens: 'many' } } })).toBe(false)
    expect(config?.({ providers: { x: { api: 'soap', baseUrl: 'http://a' } } })).toBe(false)
  })
})
