/** What an export lacks for people who read of it first: what it is for, and how it is used. */
import { type ApiExport, type EntryPoint, isValue } from './public-api.ts'

export function apiProblems(api: readonly EntryPoint[]): readonly string[] {
  const values = api.flatMap(({ exports }) => exports.filter(isValue))
  const shown = new Set(values.filter(({ example }) => example !== '').map(({ name }) => name))
  return values.flatMap((each) => problemsOf(each, shown))
}

function problemsOf(
  { name, file, sentence, example, see }: ApiExport,
  shown: ReadonlySet<string>,
): readonly string[] {
  const what = `${file}: ${name}`
  const lost = see.find((other) => !shown.has(other))
  return [
    ...(sentence === '' ? [`${what} has no comment that says what it is for`] : []),
    ...(example === '' && see.length === 0
      ? [`${what} has no @example, nor "See" to another`]
      : []),
    ...(lost === undefined ? [] : [`${what} leads to ${lost}, which has no example`]),
  ]
}
