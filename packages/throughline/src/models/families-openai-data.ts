/**
 * OpenAI's models. Windows from the table that the package gpt-tokenizer makes from
 * OpenAI's model pages (read 2026-11-15, version 4.0.0).
 *
 * Pictures: by tiles of 512 pixels, or by patches of 32 pixels with a factor
 * (OpenAI's guide to images, as in xn1cklas/tokenlens issue 7 and autogenhub/autogen
 * pull request 57). Where we do not know which, the dearer one.
 */
import type { PictureRule } from '../domain/model-card.ts'
import { defaultOverhead, unmeasuredTokensPerEstimate } from '../domain/model-card-data.ts'
import { type Family, families } from './family.ts'

const source = 'gpt-tokenizer 4.0.0, models.gen.js, from OpenAI model pages'

function tiles(baseTokens: number, tokensPerTile: number): PictureRule {
  const frame = { tilePixels: 512, longSidePixels: 2_048, shortSidePixels: 768 }
  return { kind: 'tiles', ...frame, baseTokens, tokensPerTile }
}

function patches(tokensPerPatch: number): PictureRule {
  return { kind: 'patches', patchPixels: 32, maxPatches: 1_536, tokensPerPatch }
}

const older = {
  provider: 'openai',
  tokenizer: 'cl100k_base',
  // Where gpt-tokenizer is not installed: the smaller vocabulary of cl100k.
  tokensPerEstimate: unmeasuredTokensPerEstimate,
  pictures: tiles(85, 170),
  overhead: defaultOverhead,
} as const

const newer = { ...older, tokenizer: 'o200k_base', tokensPerEstimate: 1 } as const

export const openaiFamilies: readonly Family[] = [
  ...families(older, [
    { names: 'gpt-3.5-turbo-instruct', window: 4_096, output: 4_096, source },
    { names: 'gpt-3.5-turbo gpt-3.5 gpt-35-turbo', window: 16_385, output: 4_096, source },
    { names: 'gpt-4', window: 8_192, output: 8_192, source },
    {
      names: 'gpt-4-turbo gpt-4-0125-preview gpt-4-1106-preview gpt-4-1106-vision-preview',
      window: 128_000,
      output: 4_096,
      source,
    },
  ]),
  ...families(newer, [
    { names: 'gpt-4o chatgpt-4o', window: 128_000, output: 16_384, source },
    { names: 'gpt-4o-2024-05-13', window: 128_000, output: 4_096, source },
    { names: 'gpt-4o-realtime-preview', window: 16_000, output: 4_096, source },
    { names: 'gpt-4o-transcribe', window: 16_000, output: 2_000, source },
    { names: 'gpt-4.5-preview', window: 128_000, output: 16_384, source },
    { names: 'gpt-4.1', window: 1_047_576, output: 32_768, source },
    { names: 'gpt-audio', window: 128_000, output: 16_384, source },
    { names: 'gpt-realtime', window: 16_000, output: 2_000, source },
    { names: 'o1 o3 o1-pro o3-pro o3-deep-research', window: 200_000, output: 100_000, source },
    { names: 'o3-mini codex-mini', window: 200_000, output: 100_000, source },
    { names: 'o1-mini', window: 128_000, output: 65_536, source },
    { names: 'o1-preview', window: 128_000, output: 32_768, source },
    { names: 'gpt-5 gpt-5-codex', window: 400_000, output: 128_000, input: 272_000, source },
    {
      names: 'gpt-5-chat-latest gpt-5.1-chat-latest gpt-5.2-chat-latest gpt-5.3-chat-latest',
      window: 128_000,
      output: 16_384,
      source,
    },
    { names: 'gpt-5-chat', window: 128_000, output: 16_384, source },
    { names: 'gpt-5-pro', window: 400_000, output: 272_000, input: 272_000, source },
    {
      names: 'gpt-5.1 gpt-5.2 gpt-5.3 gpt-5.1-codex gpt-5.2-codex gpt-5.3-codex gpt-5.2-pro',
      window: 400_000,
      output: 128_000,
      input: 272_000,
      source,
    },
    { names: 'gpt-oss gpt-oss-120b gpt-oss-20b', window: 131_072, output: 131_072, source },
  ]),
  ...families({ ...newer, pictures: tiles(2_833, 5_667) }, [
    { names: 'gpt-4o-mini', window: 128_000, output: 16_384, source },
    { names: 'gpt-4o-mini-realtime-preview', window: 16_000, output: 4_096, source },
    { names: 'gpt-4o-mini-transcribe', window: 16_000, output: 2_000, source },
  ]),
  ...families({ ...newer, pictures: patches(1.72) }, [
    { names: 'o4-mini o4-mini-deep-research', window: 200_000, output: 100_000, source },
  ]),
  ...families({ ...newer, pictures: patches(2.46) }, [
    { names: 'gpt-4.1-mini gpt-4.1-nano', window: 1_047_576, output: 32_768, source },
    {
      names: 'gpt-5-mini gpt-5-nano gpt-5.4-mini gpt-5.4-nano',
      window: 400_000,
      output: 128_000,
      input: 272_000,
      source,
    },
    // gpt-5.6-sol, -luna and -terra report a prompt of at most 922,000 tokens;
    // 5.4 and 5.5 have the same window and reply.
    {
      names: 'gpt-5.4 gpt-5.4-pro gpt-5.5 gpt-5.5-pro gpt-5.6-sol gpt-5.6-luna gpt-5.6-terra',
      window: 1_050_000,
      output: 128_000,
      input: 922_000,
      source,
    },
    {
      names: 'gpt-5.6 gpt-5.6-cyber',
      window: 400_000,
      output: 128_000,
      input: 272_000,
      source,
    },
  ]),
]
