/** A seed that finds a bug by the rule that it should be found by. */
import type { PlantedBug } from './planted-bugs.ts'
import { runSeed, type SeedReport } from './run-seed.ts'

export interface PlantedSearch {
  readonly seed: number
  /** How many seeds are tried. */
  readonly seeds: number
  readonly steps: number
}

export async function findPlanted(
  { rule, planted, seed: known }: PlantedBug,
  { seed: first, seeds, steps }: PlantedSearch,
): Promise<SeedReport | null> {
  const others = Array.from({ length: seeds }, (_, index) => first + index)
  for (const seed of new Set([known, ...others])) {
    const report = await runSeed({ seed, steps, planted })
    if (report.findings.some((finding) => finding.rule === rule)) return report
  }
  return null
}
