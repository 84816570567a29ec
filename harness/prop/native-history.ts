/**
 * Histories that an adapter has read: from requests in its own format, or from what it wrote for one
 * of our histories. Every other adapter then writes them.
 */
import fc from 'fast-check'
import { fit, type Reading } from 'throughline'
import { prompts } from '../../packages/throughline/src/adapters/ai-sdk/arbitrary.test-support.ts'
import { anthropicRequest } from '../../packages/throughline/src/adapters/anthropic/arbitrary.test-support.ts'
import { geminiRequest } from '../../packages/throughline/src/adapters/gemini/arbitrary.test-support.ts'
import {
  chatRequest,
  responsesRequest,
} from '../../packages/throughline/src/adapters/openai/arbitrary.test-support.ts'
import type { Chance } from '../kernel/chance.ts'
import { cardOf } from './oracle.ts'
import { type Provider, type ProviderFormat, providers } from './providers.ts'
import { randomHistory } from './random-case.ts'

const samples: Readonly<Record<ProviderFormat, fc.Arbitrary<object>>> = {
  'openai-chat': chatRequest,
  'openai-responses': responsesRequest,
  'anthropic-messages': anthropicRequest,
  'gemini-contents': geminiRequest,
  'ai-sdk': prompts,
}

export async function nativeHistory(chance: Chance): Promise<Reading> {
  const provider = chance.pick(providers)
  return chance.once(2) ? sampled(provider, chance) : writtenAndRead(provider, chance)
}

/** Several requests in a row: one alone is shorter than the smallest window. */
function sampled(provider: Provider, chance: Chance): Reading {
  const seed = chance.below(0x7fffffff)
  const requests = fc.sample(samples[provider.format], { seed, numRuns: chance.between(1, 4) })
  const readings = requests.map((request) => provider.read(request))
  return {
    system: readings[0]?.system ?? [],
    tools: readings[0]?.tools ?? [],
    messages: readings.flatMap(({ messages }) => messages),
  }
}

const roomy = cardOf(4_000_000)

async function writtenAndRead(provider: Provider, chance: Chance): Promise<Reading> {
  const messages = randomHistory(chance).slice(0, 40)
  const context = await fit({ messages, model: roomy.id, models: [roomy], system: 'Be brief.' })
  return provider.read(provider.write(context))
}
