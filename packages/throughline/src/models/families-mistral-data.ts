/** Mistral's models. Windows from models.dev, which names Mistral's pages. */
import {
  defaultOverhead,
  defaultPictures,
  unmeasuredTokensPerEstimate,
} from '../domain/model-card-data.ts'
import { type Family, families, modelsDev } from './family.ts'

const defaults = {
  provider: 'mistral',
  tokenizer: 'estimate',
  tokensPerEstimate: unmeasuredTokensPerEstimate,
  pictures: defaultPictures,
  overhead: defaultOverhead,
} as const

function row(names: string, window: number, file: string, date: string) {
  return { names, window, output: null, source: modelsDev(`mistral/${file}`, date) }
}

export const mistralFamilies: readonly Family[] = families(defaults, [
  row('mistral-large-2402', 32_000, 'mistral-large-2402', '2024-02-26'),
  row('mistral-large', 131_072, 'mistral-large-2411', '2024-11-18'),
  row(
    'mistral-large-latest mistral-large-2512 mistral-large-3',
    262_144,
    'mistral-large-latest',
    '2025-12-02',
  ),
  row('mistral-medium', 131_072, 'mistral-medium-2505', '2025-05-07'),
  row(
    'mistral-medium-latest mistral-medium-2508 mistral-medium-2604 mistral-medium-3.5',
    262_144,
    'mistral-medium-2604',
    '2026-04-29',
  ),
  row(
    'mistral-small-2501 mistral-small-24b-instruct-2501',
    28_000,
    'mistral-small-24b-instruct-2501',
    '2025-01-30',
  ),
  row('mistral-small', 128_000, 'mistral-small-2506', '2025-06-20'),
  row('mistral-small-2603 mistral-small-4', 256_000, 'mistral-small-2603', '2026-03-16'),
  row('codestral-22b', 32_768, 'codestral-22b-v0.1', '2024-05-29'),
  row('codestral', 256_000, 'codestral-latest', '2025-01-04'),
  row('devstral devstral-small', 128_000, 'devstral-small-2507', '2025-07-10'),
  row('devstral-2512 devstral-2', 262_144, 'devstral-2512', '2025-12-09'),
  row('magistral magistral-medium magistral-small', 128_000, 'magistral-medium-2509', '2025-09-17'),
  row('ministral ministral-8b ministral-3b', 128_000, 'ministral-8b-latest', '2024-10-04'),
  row('mistral-nemo open-mistral-nemo', 128_000, 'mistral-nemo', '2024-07-01'),
  row('pixtral', 128_000, 'pixtral-large-latest', '2024-11-04'),
  row('open-mixtral-8x7b mixtral-8x7b', 32_000, 'open-mixtral-8x7b', '2023-12-11'),
  row('open-mistral-7b mistral-7b', 8_000, 'open-mistral-7b', '2023-09-27'),
])
