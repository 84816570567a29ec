import { expect, it } from 'vitest'
import { detectIn } from '../../packages/throughline/src/transcripts/detect-format.ts'
import {
  allFormats,
  samples,
} from '../../packages/throughline/src/transcripts/samples.test-support.ts'
import { datasetFormats } from './read-dataset.ts'

const detect = (head: string) => detectIn(datasetFormats.signs, head)

it.each(allFormats)('recognizes %s among the formats of datasets and tools', (format) => {
  expect(detect(samples[format])).toBe(format)
  expect(detect(`\uFEFF${samples[format]}`)).toBe(format)
})

it('recognizes datasets that are truncated, spread over lines, or have other shapes', () => {
  expect(detect(samples['tau2-bench'].slice(0, 80))).toBe('tau2-bench')
  expect(detect(JSON.stringify(JSON.parse(samples.locomo), null, 2))).toBe('locomo')
  expect(detect(JSON.stringify(JSON.parse(samples.qmsum), null, 2))).toBe('qmsum')
  const tau2 = { timestamp: '', info: { agent_info: {} }, tasks: [{}] }
  expect(detect(JSON.stringify(tau2))).toBe('tau2-bench')
  const sample: unknown[] = JSON.parse(samples.locomo)
  expect(detect(JSON.stringify(sample[0]))).toBe('locomo')
})
