/** The measures, on any folder of transcripts. */

import { policyHash } from '../packages/throughline/src/cli/simulation/statistics.ts'
import {
  checkOptions,
  invalidOption,
} from '../packages/throughline/src/flow/check/check-options.ts'
import { type Measure, type MeasureName, measures } from './measures.ts'
import type { BenchOptions, BenchReport, BenchRow } from './report.ts'

export { type Measure, type MeasureName, measures } from './measures.ts'
export type { BenchProgress } from './report.ts'

/**
 * Runs a measure on a folder of transcripts or on generated data.
 *
 * @example
 * const report = await bench('turn', { dataDir: null })
 * console.log(table(report))
 */
export async function bench(measure: MeasureName, options: BenchOptions): Promise<BenchReport> {
  return { measure, policyHash: policyHash(), rows: await taken(measure, options) }
}

/** Refuses unsupported options: default figures must not pass for the requested ones. */
async function taken(name: MeasureName, options: BenchOptions): Promise<readonly BenchRow[]> {
  checkOptions(options, ['dataDir', 'sizes', 'methods', 'choices', 'progress'], 'bench')
  if (!Object.hasOwn(measures, name))
    throw invalidOption(
      `bench: unknown measure "${name}"; choose ${Object.keys(measures).join(', ')}`,
    )
  const measure: Measure = measures[name]
  if (options.sizes !== undefined && measure.sizes === undefined)
    throw invalidOption(`bench ${name} has no option "sizes"`)
  const strange = options.methods?.find((method) => !measure.methods?.includes(method))
  if (strange !== undefined) throw invalidOption(`bench ${name} has no method "${strange}"`)
  for (const [choice, values] of Object.entries(options.choices ?? {})) {
    const known = measure.choices?.[choice]
    if (known === undefined) throw invalidOption(`bench ${name} has no option "${choice}"`)
    const other = values.find((value) => !known.includes(value))
    if (other !== undefined)
      throw invalidOption(
        `bench ${name}: ${choice} must be among ${known.join(', ')}; not "${other}"`,
      )
  }
  return measure.take(options)
}
