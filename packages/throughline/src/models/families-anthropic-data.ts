/**
 * Anthropic's models. Windows from Anthropic's own pages where we saw them, else from models.dev. Sonnet 4 and
 * 4.5 have a window of 1M only where a beta header asks for it; `[1m]` after the name says that it does.
 *
 * Pictures: a token for each 28 × 28 pixels, at most 1,568, from 4.7 on 4,784 (docs.rs, vision-squeezer 0.6.2;
 * Anthropic's page on vision says about 1,600 for the older ones). With tools comes a prompt of up to 530
 * tokens (docs.anthropic.com, tool-use-pricing-and-tokens).
 */
import type { PictureRule } from '../domain/model-card.ts'
import { defaultOverhead } from '../domain/model-card-data.ts'
import { type Family, families, modelsDev } from './family.ts'

const overview = 'platform.claude.com/docs/claude/docs/models-overview, 2026'
const opus5 = 'platform.claude.com/docs/es/models/opus-5/overview, 2026'
const sonnet55 = 'vercel.com/ai-gateway/models/claude-sonnet-5.5, 2026'
const currentModels = 'platform.claude.com/docs/zh-CN/models/overview, 2026'
const llamaIndex = 'developers.llamaindex.ai, all_available_anthropic_models, 2026'

function patches(maxPatches: number): PictureRule {
  return { kind: 'patches', patchPixels: 28, maxPatches, tokensPerPatch: 1 }
}

const upTo46 = {
  provider: 'anthropic',
  tokenizer: 'estimate',
  // Growth reported over growth estimated was 1.07 to 1.39 in the Claude Code and pi
  // sessions that we measured (Opus 4.5 and 4.6, Sonnet 4.5).
  tokensPerEstimate: 1.4,
  pictures: patches(1_568),
  overhead: { ...defaultOverhead, toolPreambleTokens: 530 },
} as const

// The tokenizer of 4.7 makes 1.0 to 1.35 times the tokens of the one before it by
// Anthropic's migration guide, 1.33 on real sessions (claudecodecamp.com, 2026-04).
const from47 = { ...upTo46, tokensPerEstimate: 1.9, pictures: patches(4_784) } as const

export const anthropicFamilies: readonly Family[] = [
  ...families(upTo46, [
    { names: 'claude-2 claude-instant', window: 100_000, output: null, source: llamaIndex },
    { names: 'claude-2.1', window: 200_000, output: null, source: llamaIndex },
    {
      names: 'claude-3 claude-3-opus claude-3-sonnet claude-3-haiku',
      window: 200_000,
      output: 4_096,
      source: modelsDev('anthropic/claude-3-sonnet-20240229', '2024-03-04'),
    },
    {
      names: 'claude-3-5-sonnet claude-3-5-haiku claude-haiku-3-5 claude-sonnet-3-5',
      window: 200_000,
      output: 8_192,
      source: modelsDev('anthropic/claude-3-5-haiku-20241022', '2024-10-22'),
    },
    {
      names: 'claude-3-7-sonnet claude-sonnet-3-7',
      window: 200_000,
      output: 64_000,
      source: modelsDev('anthropic/claude-3-7-sonnet-20250219', '2025-02-19'),
    },
    {
      names: 'claude-opus-4 claude-4-opus claude-opus-4-0 claude-opus-4-1',
      window: 200_000,
      output: 32_000,
      source: modelsDev('anthropic/claude-opus-4-0', '2025-05-22'),
    },
    {
      names: 'claude-sonnet-4 claude-4-sonnet claude-sonnet-4-0 claude-sonnet-4-5',
      window: 200_000,
      output: 64_000,
      source: modelsDev('anthropic/claude-sonnet-4-5', '2025-09-29'),
    },
    {
      names: 'claude-opus-4-5',
      window: 200_000,
      output: 64_000,
      source: modelsDev('anthropic/claude-opus-4-5', '2025-11-24'),
    },
    { names: 'claude-haiku-4-5 claude-haiku-4', window: 200_000, output: 64_000, source: overview },
    {
      names: 'claude-opus-4-6',
      window: 1_000_000,
      output: 128_000,
      source: modelsDev('anthropic/claude-opus-4-6', '2026-03-13'),
    },
    { names: 'claude-sonnet-4-6', window: 1_000_000, output: 64_000, source: overview },
  ]),
  ...families(from47, [
    // Any other Claude: no model since Claude 3 has less.
    { names: 'claude', window: 200_000, output: null, source: overview },
    { names: 'claude-opus-4-7', window: 1_000_000, output: 128_000, source: overview },
    {
      names: 'claude-opus-4-8',
      window: 1_000_000,
      output: 128_000,
      source: modelsDev('anthropic/claude-opus-4-8', '2026-05-28'),
    },
    {
      names: 'claude-sonnet-5',
      window: 1_000_000,
      output: 128_000,
      source: modelsDev('anthropic/claude-sonnet-5', '2026-06-30'),
    },
    { names: 'claude-sonnet-5-5', window: 1_000_000, output: 128_000, source: sonnet55 },
    { names: 'claude-fable-5-1', window: 1_000_000, output: 128_000, source: currentModels },
    {
      names: 'claude-fable-5 claude-mythos-5',
      window: 1_000_000,
      output: 128_000,
      source: modelsDev('anthropic/claude-mythos-5', '2026-06-09'),
    },
    { names: 'claude-opus-5 claude-opus-5-5', window: 1_000_000, output: 128_000, source: opus5 },
    {
      names: 'claude-haiku-5-5',
      window: 1_000_000,
      output: 128_000,
      source: modelsDev('anthropic/claude-haiku-5-5', '2026-10-07'),
    },
  ]),
]
