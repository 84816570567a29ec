/** What somebody wants measured, checked against what the measure takes. */
import { type Measure, type MeasureName, measures } from '../../bench/index.ts'
import type { Arguments } from '../command.ts'
import { WrongUsage } from '../ending.ts'
import { nearest } from '../nearest.ts'

export interface AskedMeasure {
  readonly name: MeasureName
  /** A folder, as it was named. */
  readonly data: string | null
  readonly sizes: readonly number[] | undefined
  readonly methods: readonly string[] | undefined
}

/** Null where no measure is named. */
export function askedMeasure(args: Arguments): AskedMeasure | null {
  const [name, extra] = args.positionals
  if (name === undefined) return null
  if (extra !== undefined) throw new WrongUsage(`one measure at a time, not also "${extra}"`)
  if (!isMeasure(name)) throw new WrongUsage(unknown(name))
  const measure: Measure = measures[name]
  const data = args.text('data')
  if (data === null && measure.data === 'needed')
    throw new WrongUsage(`bench ${name} needs a folder of transcripts: --data DIR`)
  if (data !== null && measure.data === 'none')
    throw new WrongUsage(`bench ${name} makes its own conversations: leave out --data`)
  return {
    name,
    data,
    sizes: sizesIn(args, name, measure),
    methods: methodsIn(args, name, measure),
  }
}

function isMeasure(name: string): name is MeasureName {
  return Object.hasOwn(measures, name)
}

function unknown(name: string): string {
  const names = Object.keys(measures)
  const meant = nearest(name, names)
  const hint = meant === null ? `there are ${names.join(', ')}` : `did you mean "${meant}"?`
  return `there is no measure "${name}"; ${hint}`
}

function sizesIn(args: Arguments, name: string, { sizes }: Measure): AskedMeasure['sizes'] {
  const words = listIn(args, 'sizes')
  if (words === null) return undefined
  if (sizes === undefined) throw new WrongUsage(`bench ${name} takes no --sizes`)
  return words.map((word) => {
    if (!/^[1-9]\d{0,8}$/.test(word))
      throw new WrongUsage(`--sizes takes numbers of tokens, as 8000,32000; not "${word}"`)
    return Number(word)
  })
}

function methodsIn(args: Arguments, name: string, { methods }: Measure): AskedMeasure['methods'] {
  const words = listIn(args, 'methods')
  if (words === null) return undefined
  if (methods === undefined) throw new WrongUsage(`bench ${name} takes no --methods`)
  const strange = words.find((word) => !methods.includes(word))
  if (strange !== undefined)
    throw new WrongUsage(`--methods are ${methods.join(', ')}; not "${strange}"`)
  return words
}

function listIn(args: Arguments, option: string): readonly string[] | null {
  const text = args.text(option)
  return text === null ? null : text.split(',').map((word) => word.trim())
}
