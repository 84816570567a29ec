/** The results as the generated part of docs/benchmarks.md; rows in which others are better come first. */
import { methods, ourName } from '../methods.ts'
import { type Metric, metrics, qualityMetrics, timeMetrics, timeSizes } from './metrics.ts'
import { plotsOf } from './plots.ts'
import type { Results } from './results.ts'

export function markdownOf(results: Results): string {
  return [
    `Measured on ${results.date} with Node ${results.node} on ${results.machine}; comparison ${results.version}, policy ${results.policyHash}.`,
    'All figures: [compare.json](benchmarks/compare.json).',
    '',
    ...[...plotsOf(results).keys()].map((name) => `![${titles[name]}](benchmarks/${name})`),
    '',
    '### Where others are better',
    '',
    'Each row names the best of the others. “floor” shows only the current turn, so it is fast and cheap and keeps nothing.',
    '',
    losses(results),
    '',
    ...tables(results),
    '### Versions and options',
    '',
    methodTable(results),
    '',
    ...stoppedRuns(results),
  ].join('\n')
}

const titles: Readonly<Record<string, string>> = {
  'kept-and-cost.svg': 'What requests cost, and how much of what is needed next they show',
  'turn.svg': 'The mean of a turn by the length of the conversation',
}

const worthMentioning = 0.02

export interface Loss {
  readonly metric: Metric
  readonly ours: number
  readonly others: readonly { readonly name: string; readonly value: number }[]
}

/** Where another method is better by more than noise, best first. */
export function lossesIn({ figures }: Pick<Results, 'figures'>): readonly Loss[] {
  return metrics.flatMap((metric): readonly Loss[] => {
    const { key, better, unit } = metric
    const ours = figures[ourName]?.[key] ?? null
    if (ours === null || better === null) return []
    const sign = better === 'higher' ? 1 : -1
    // Times under a quarter apart are noise.
    const margin = unit === 'ms' ? ours * 0.25 : Math.max(Math.abs(ours) * worthMentioning, 0.005)
    const others = methods
      .filter(({ name }) => name !== ourName)
      .flatMap(({ name }) => {
        const value = figures[name]?.[key] ?? null
        return value === null || (value - ours) * sign <= margin ? [] : [{ name, value }]
      })
      .toSorted((one, other) => (other.value - one.value) * sign)
    return others.length === 0 ? [] : [{ metric, ours, others }]
  })
}

function losses(results: Results): string {
  const rows = lossesIn(results).map(({ metric, ours, others }) => [
    `${metric.title} (${metric.table.toLowerCase()})`,
    unitOf(metric),
    shown(metric, ours),
    others[0]?.name ?? '',
    shown(metric, others[0]?.value ?? null),
    String(others.length),
  ])
  return table(
    ['Row', 'Unit', 'Throughline', 'Best other', 'Its number', 'Methods that are better'],
    rows,
  )
}

function tables(results: Results): readonly string[] {
  const all = [...qualityMetrics, ...timeSizes.flatMap(timeMetrics)]
  return [...Map.groupBy(all, (metric) => metric.table)].flatMap(([title, columns]) => {
    const rows = methods.flatMap(({ name }) => {
      const figures = columns.map((metric) => figureOf(results, name, metric))
      return figures.every((figure) => figure === '–') ? [] : [[name, ...figures]]
    })
    const heads = columns.map((metric) => `${metric.title}, ${unitOf(metric)}`)
    return rows.length === 0 ? [] : [`### ${title}`, '', table(['Method', ...heads], rows), '']
  })
}

function figureOf({ figures, stopped }: Results, name: string, metric: Metric): string {
  const value = figures[name]?.[metric.key] ?? null
  const size = Number(/-(\d+)$/.exec(metric.key)?.[1] ?? 0)
  const isStopped = stopped.some(
    ({ method, plan, stopped: why }) =>
      method === name && why === 'too slow' && plan.part === 'times' && plan.messages <= size,
  )
  return value === null && isStopped && metric.table.startsWith('One turn')
    ? 'too slow'
    : shown(metric, value)
}

function unitOf({ unit }: Metric): string {
  return unit
}

function shown({ unit }: Metric, value: number | null): string {
  if (value === null) return '–'
  if (unit === 'share') return value.toFixed(2)
  if (unit === 'count') return String(value)
  if (value >= 100) return Math.round(value).toLocaleString('en-US')
  return value.toFixed(value >= 10 ? 0 : 1)
}

function methodTable({ versions }: Results): string {
  return table(
    ['Method', 'Package', 'Version', 'Options'],
    methods.map((method) => [
      method.name,
      method.package ?? '–',
      method.package === null ? '–' : (versions[method.package] ?? '–'),
      method.options,
    ]),
  )
}

function stoppedRuns({ stopped }: Results): readonly string[] {
  if (stopped.length === 0) return []
  const rows = stopped.map(({ method, plan, reason }) => {
    const size =
      'messages' in plan
        ? `${plan.part}, ${plan.messages.toLocaleString('en-US')} messages`
        : plan.part
    return [method, size, reason.replaceAll('|', '/').replaceAll('\n', ' ').slice(0, 120)]
  })
  return ['### Runs that were stopped', '', table(['Method', 'Part', 'Why'], rows), '']
}

function table(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const right = heads.map((_, column) =>
    rows.every((row) => /^[\d.,–]*$|^too slow$/.test(row[column] ?? '')),
  )
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  return [
    line(heads),
    `|${right.map((isRight) => (isRight ? '--:' : '---')).join('|')}|`,
    ...rows.map(line),
  ].join('\n')
}
