import type * as v from 'valibot'
import { expectTypeOf, it } from 'vitest'
import type { Policy } from '../domain/policy.ts'
import type { PolicyOptions } from './policy-input.ts'
import type { policySchema } from './policy-schema.ts'
import type { presetsData } from './presets-data.ts'

type Readonlys<Type> = Type extends object
  ? { readonly [Field in keyof Type]: Readonlys<Type[Field]> }
  : Type

it('parses what callers may write, and nothing else: this compiles', () => {
  type Parsed = Readonlys<v.InferInput<typeof policySchema>>
  expectTypeOf<PolicyOptions>().toExtend<Parsed>()
  expectTypeOf<Parsed>().toExtend<PolicyOptions>()
  expectTypeOf<keyof PolicyOptions>().toEqualTypeOf<keyof Parsed>()
  expectTypeOf<keyof NonNullable<PolicyOptions['advanced']>>().toEqualTypeOf<
    keyof NonNullable<Parsed['advanced']>
  >()
})

it('completes every setting that the engine reads: this compiles', () => {
  type Balanced = typeof presetsData.balanced
  type Flat = Omit<Balanced, 'advanced'> & Balanced['advanced']
  expectTypeOf<Exclude<keyof Policy, 'turns'>>().toEqualTypeOf<keyof Flat>()
})
