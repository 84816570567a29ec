/** Finds exports whose comment does not say what they are for or how they are used. */
import { isValue } from './api-reports.ts'
import type { JsDoc } from './js-doc.ts'
import type { EntryPoint } from './public-api.ts'

/** The handles that an engine returns. Callers implement other interfaces, or they are plain data. */
const handles = ['Throughline', 'TenantHandle', 'ConversationHandle', 'ConversationHistory']

interface Called extends JsDoc {
  readonly name: string
  readonly file: string
}

export function apiProblems(api: readonly EntryPoint[]): readonly string[] {
  const exports = api.flatMap((entry) => entry.exports)
  const methods = exports
    .filter(({ name }) => handles.includes(name))
    .flatMap(({ file, methods }) => methods.map((method) => ({ ...method, file })))
  const called = [...exports.filter(isValue), ...methods]
  const shown = called.filter(({ example }) => example !== '').map(({ name }) => name)
  const names = new Set(shown.map((name) => name.replace(/^.*\./, '')))
  const types = exports.filter((each) => !isValue(each) && each.sentence === '')
  return [...called.flatMap((each) => problemsOf(each, names)), ...types.map(undescribed)]
}

function undescribed({ name, file }: Pick<Called, 'name' | 'file'>): string {
  return `${file}: ${name} has no comment that says what it is`
}

function problemsOf(
  { name, file, sentence, example, see }: Called,
  shown: ReadonlySet<string>,
): readonly string[] {
  const what = `${file}: ${name}`
  const lost = see.find((other) => !shown.has(other))
  return [
    ...(sentence === '' ? [undescribed({ name, file })] : []),
    ...(example === '' && see.length === 0
      ? [`${what} has neither an @example nor a "See" reference`]
      : []),
    ...(lost === undefined ? [] : [`${what} refers to ${lost}, which has no example`]),
  ]
}
