/**
 * xAI, Meta, Cohere, Amazon, and the models from China: DeepSeek, Qwen, Kimi, GLM,
 * MiniMax. Windows from models.dev; where a vendor's page or another entry gives a
 * smaller number, that one, because hosts serve the same weights with less.
 */
import {
  defaultOverhead,
  defaultPictures,
  unmeasuredTokensPerEstimate,
} from '../domain/model-card-data.ts'
import { type Family, families, modelsDev } from './family.ts'

function familiesOf(provider: string, rows: readonly Row[]): readonly Family[] {
  const defaults = {
    provider,
    tokenizer: 'estimate',
    tokensPerEstimate: unmeasuredTokensPerEstimate,
    pictures: defaultPictures,
    overhead: defaultOverhead,
  } as const
  return families(
    defaults,
    rows.map(([names, window, output, source]) => ({ names, window, output, source })),
  )
}

type Row = readonly [names: string, window: number, output: number | null, source: string]

const deepseekPrices = 'api-docs.deepseek.com/quick_start/pricing-details-usd, 2025'

export const openFamilies: readonly Family[] = [
  ...familiesOf('xai', [
    ['grok-3', 131_072, null, modelsDev('xai/grok-3', '2025-02-19')],
    ['grok-4', 256_000, null, modelsDev('xai/grok-4', '2025-07-09')],
    ['grok-4-fast', 2_000_000, 64_000, modelsDev('xai/grok-4-fast', '2025-09-19')],
    ['grok-4.20', 2_000_000, 30_000, modelsDev('xai/grok-4.20-0309-reasoning', '2026-03-09')],
    ['grok-4.3', 1_000_000, 30_000, modelsDev('xai/grok-4.3', '2026-04-17')],
    ['grok-4.5 grok-4.7', 500_000, null, modelsDev('xai/grok-4.7', '2026-09-21')],
    [
      'grok-code-fast-1 grok-code',
      256_000,
      10_000,
      modelsDev('xai/grok-code-fast-1', '2025-08-26'),
    ],
  ]),
  ...familiesOf('deepseek', [
    ['deepseek-chat deepseek-reasoner', 64_000, 8_192, deepseekPrices],
    ['deepseek-r1 deepseek-v3', 128_000, null, modelsDev('deepseek/deepseek-r1', '2025-05-29')],
    ['deepseek-v4', 1_000_000, 384_000, modelsDev('deepseek/deepseek-v4-pro', '2026-04-24')],
    ['deepseek-flash', 1_000_000, 384_000, modelsDev('deepseek/deepseek-flash', '2026-09-10')],
  ]),
  ...familiesOf('alibaba', [
    ['qwen-max', 32_768, 8_192, modelsDev('alibaba/qwen-max', '2025-01-25')],
    ['qwen-plus', 1_000_000, 32_768, modelsDev('alibaba/qwen-plus', '2025-09-11')],
    ['qwen-2.5', 32_768, null, modelsDev('alibaba/qwen2.5-72b-instruct', '2024-09-19')],
    ['qwen-3', 32_768, null, modelsDev('alibaba/qwen3-8b', '2025-07-26: 32,768 natively')],
    [
      'qwen-3-235b-a22b-instruct-2507 qwen-3-235b-a22b-2507',
      262_144,
      16_384,
      modelsDev('alibaba/qwen3-235b-a22b-instruct-2507', '2025-07-21'),
    ],
    [
      'qwen-3-coder',
      262_144,
      65_536,
      modelsDev('alibaba/qwen3-coder-480b-a35b-instruct', '2025-07-22'),
    ],
    ['qwen-3-coder-plus', 1_000_000, 65_536, modelsDev('alibaba/qwen3-coder-plus', '2025-07-23')],
    ['qwen-3-max', 262_144, 65_536, modelsDev('alibaba/qwen3-max', '2025-09-23')],
    ['qwen-3-next', 131_072, 32_768, modelsDev('alibaba/qwen3-next-80b-a3b-instruct', '2025-09')],
    ['qwen-3-vl', 131_072, 32_768, modelsDev('alibaba/qwen3-vl-235b-a22b-instruct', '2025-09-23')],
    ['qwen-3.5', 262_144, 65_536, modelsDev('alibaba/qwen3.5-397b-a17b', '2026-02-15')],
    ['qwen-3.6', 262_144, 65_536, modelsDev('alibaba/qwen3.6-27b', '2026-04-22')],
    ['qwen-3.6-plus', 1_000_000, 65_536, modelsDev('alibaba/qwen3.6-plus', '2026-04-02')],
    ['qwen-3.7-max', 991_808, 131_072, modelsDev('alibaba/qwen3.7-max', '2026-05-21')],
  ]),
  ...familiesOf('meta', [
    ['llama-3', 8_192, null, modelsDev('meta/llama-3-70b-instruct', '2024-04-18')],
    ['llama-3.1 llama-3.2', 128_000, null, modelsDev('meta/llama-3.1-8b-instruct', '2024-07-23')],
    ['llama-3.3', 128_000, 4_096, modelsDev('meta/llama-3.3-70b-instruct', '2024-12-06')],
    [
      'llama-4 llama-4-scout',
      131_072,
      null,
      modelsDev('meta/llama-4-scout-17b-16e-instruct', '2025-04-04'),
    ],
    [
      'llama-4-maverick',
      1_000_000,
      16_384,
      modelsDev('meta/llama-4-maverick-17b-instruct', '2025-04-05'),
    ],
    ['muse-spark-1.3', 1_048_576, 131_072, modelsDev('meta/muse-spark-1.3', '2026-09-02')],
  ]),
  ...familiesOf('cohere', [
    [
      'command-r command-r-plus',
      128_000,
      4_000,
      modelsDev('cohere/command-r-plus-08-2024', '2024-08-30'),
    ],
    [
      'command-a command-a-plus',
      128_000,
      null,
      modelsDev('cohere/command-a-plus-05-2026', '2026-06-09'),
    ],
    ['command-a-03-2025', 256_000, 8_000, modelsDev('cohere/command-a-03-2025', '2025-03-13')],
  ]),
  ...familiesOf('amazon', [
    ['nova-micro', 128_000, 8_192, modelsDev('amazon/nova-micro', '2026-08-22')],
    ['nova-lite nova-pro', 300_000, 8_192, modelsDev('amazon/nova-pro', '2026-08-22')],
    ['nova-2-lite', 1_000_000, 64_000, modelsDev('amazon/nova-2-lite', '2026-08-22')],
  ]),
  ...familiesOf('moonshotai', [
    ['kimi-k2', 131_072, 98_304, modelsDev('moonshotai/kimi-k2', '2025-07-11')],
    ['kimi-k2-0905', 262_144, 98_304, modelsDev('moonshotai/kimi-k2-0905', '2025-09-05')],
    ['kimi-k2-thinking', 262_144, null, modelsDev('moonshotai/kimi-k2-thinking', '2025-11-06')],
    ['kimi-k2.5 kimi-k2.7', 262_144, null, modelsDev('moonshotai/kimi-k2.7-code', '2026-06-12')],
    ['kimi-k3', 1_048_576, 262_144, modelsDev('moonshotai/kimi-k3', '2026-07-16')],
  ]),
  ...familiesOf('zhipuai', [
    ['glm-4-air', 131_072, 4_096, modelsDev('zhipuai/glm-4-air', '2024-08')],
    ['glm-4.5', 131_072, 98_304, modelsDev('zhipuai/glm-4.5', '2025-07-28')],
    ['glm-4.5v', 64_000, 16_384, modelsDev('zhipuai/glm-4.5v', '2025-08-11')],
    ['glm-4.6 glm-4.7', 204_800, 131_072, modelsDev('zhipuai/glm-4.7', '2025-12-22')],
    ['glm-4.6v', 128_000, 32_768, modelsDev('zhipuai/glm-4.6v', '2025-12-08')],
    ['glm-5 glm-5.1', 200_000, 131_072, modelsDev('zhipuai/glm-5.1', '2026-03-27')],
    ['glm-5.2 glm-5.3', 1_000_000, 131_072, modelsDev('zhipuai/glm-5.3', '2026-08-14')],
  ]),
  ...familiesOf('minimax', [
    ['minimax-m1', 1_000_000, 40_000, modelsDev('minimax/MiniMax-M1-80k', '2025-06-17')],
    ['minimax-m2', 196_608, 128_000, modelsDev('minimax/MiniMax-M2', '2025-10-27')],
    [
      'minimax-m2.5 minimax-m2.7',
      204_800,
      131_072,
      modelsDev('minimax/MiniMax-M2.7', '2026-03-18'),
    ],
    ['minimax-m3', 512_000, 128_000, modelsDev('minimax/MiniMax-M3', '2026-06-01')],
  ]),
]
