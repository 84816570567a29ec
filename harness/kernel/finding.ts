/** Findings of a harness, and how runs are summed up and printed. */

/** A broken promise. */
export interface Finding<Rule extends string = string> {
  readonly rule: Rule
  readonly detail: string
  /** Part and options that reproduce it; if missing, those of the whole run do. */
  readonly rerun?: string | undefined
}

export type Print = (line: string) => void

const shownPerRule = 4
const shownCharacters = 400

/** Prints findings grouped by rule, the first few of each with the command that reproduces them. */
export function printFindings(
  findings: readonly Finding[],
  script: string,
  { rerun, print }: { readonly rerun: string; readonly print: Print },
): void {
  for (const [rule, same] of Map.groupBy(findings, (finding) => finding.rule)) {
    print(`\n${rule}: ${same.length} times`)
    const shown = Map.groupBy(same.slice(0, shownPerRule), (each) => each.rerun ?? rerun)
    for (const [options, each] of shown) {
      for (const { detail } of each) print(`  ${detail.slice(0, shownCharacters)}`)
      print(`  npm run ${script} -- ${options}`)
    }
  }
}

export function findingLine({ rule, detail }: Finding): string {
  return `${rule}: ${detail}`
}

/** A thrown value in one line, as the detail of a finding. */
export function thrownDetail(cause: unknown): string {
  const why = cause instanceof Error ? (cause.stack ?? cause.message) : String(cause)
  return why.split('\n').slice(0, 6).join(' | ')
}

/** How often something happened, which shows whether a run covered enough. */
export type Figures<Name extends string = string> = Readonly<Record<Name, number>>

/** Sums by name; figures named in `most` keep the largest. */
export function sumFigures<Name extends string>(
  all: readonly Figures<Name>[],
  most: readonly NoInfer<Name>[] = [],
): Record<Name, number> {
  const sums: Partial<Record<Name, number>> = {}
  for (const figures of all)
    for (const name in figures) {
      const before = sums[name] ?? 0
      sums[name] = most.includes(name) ? Math.max(before, figures[name]) : before + figures[name]
    }
  return sums as Record<Name, number>
}

export function figuresLine(figures: Figures): string {
  return Object.entries(figures)
    .map(([name, figure]) => `${figure} ${name}`)
    .join(', ')
}
