/**
 * Google's models. Windows from Google's pages and models.dev.
 *
 * Pictures: 258 tokens for each tile of 768 pixels up to Gemini 2.5 (BerriAI/litellm issue 3269), 1,120 from
 * Gemini 3 on, whatever the size (ai.google.dev/gemini-api/docs/interactions/media-resolution).
 */
import type { PictureRule } from '../domain/model-card.ts'
import { defaultOverhead } from '../domain/model-card-data.ts'
import { type Family, families, modelsDev } from './family.ts'

const page = 'ai.google.dev/gemini-api/docs/models'

const tiled: PictureRule = {
  kind: 'patches',
  patchPixels: 768,
  maxPatches: 16,
  tokensPerPatch: 258,
}

const upTo25 = {
  provider: 'google',
  tokenizer: 'estimate',
  // Growth reported over growth estimated was 0.95 to 1.11 in the sessions that we measured (Gemini 3 Pro).
  tokensPerEstimate: 1.15,
  pictures: tiled,
  overhead: defaultOverhead,
} as const

const from3 = { ...upTo25, pictures: { kind: 'fixed', tokens: 1_120 } } as const

export const googleFamilies: readonly Family[] = [
  ...families(upTo25, [
    {
      names: 'gemini-1.5-flash',
      window: 1_048_576,
      output: 8_192,
      source: 'cloud.google.com/vertex-ai/generative-ai/docs/models/gemini/1-5-flash',
    },
    // Announced with 1M, served with 2M later: the smaller.
    {
      names: 'gemini-1.5-pro gemini-1.5',
      window: 1_000_000,
      output: 8_192,
      source: 'blog.google, Gemini 1.5, February 2024',
    },
    {
      names: 'gemini-2.0-flash gemini-2.0-flash-lite gemini-2.0',
      window: 1_048_576,
      output: 8_192,
      source: `${page}/gemini-2.0-flash, 2025-02`,
    },
    {
      names: 'gemini-2.5-pro gemini-2.5-flash gemini-2.5-flash-lite gemini-2.5',
      window: 1_048_576,
      output: 65_535,
      source: 'docs.cloud.google.com/gemini-enterprise-agent-platform/models/gemini/2-5-pro',
    },
    {
      names: 'gemini-2.5-flash-image',
      window: 32_768,
      output: 32_768,
      source: modelsDev('google/gemini-2.5-flash-image', '2025-08-26'),
    },
    {
      names: 'gemini-2.5-flash-preview-tts gemini-2.5-pro-preview-tts gemini-2.5-flash-tts',
      window: 8_192,
      output: 16_384,
      source: modelsDev('google/gemini-2.5-flash-preview-tts', '2025-05-01'),
    },
    {
      names: 'gemma-3',
      window: 40_000,
      output: null,
      source: modelsDev('google/gemma-3-27b-it', '2025-03-10'),
    },
    {
      names: 'gemma-4',
      window: 131_072,
      output: 8_192,
      source: modelsDev('google/gemma-4-E4B-it', '2026-04-02'),
    },
  ]),
  ...families(from3, [
    {
      names: 'gemini-3 gemini-3-pro',
      window: 1_048_576,
      output: 65_536,
      source: `${page}/gemini-3-pro-preview, 2025-11`,
    },
    {
      names: 'gemini-3-flash gemini-3.1-pro gemini-3.8-flash',
      window: 1_048_576,
      output: 65_536,
      source: modelsDev('google/gemini-3.8-flash', '2026-09-02'),
    },
    {
      names: 'gemini-3-pro-image',
      window: 131_072,
      output: 32_768,
      source: modelsDev('google/gemini-3-pro-image-preview', '2025-11-20'),
    },
  ]),
]
