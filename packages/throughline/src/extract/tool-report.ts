/** Unwraps tool output: clients put JSON, tags or header lines with the exit code around it. */
import { type Fields, fieldsIn, parsedJson } from '../domain/json.ts'
import { exitLine, mentionsExit } from './outcome-forms-data.ts'

export interface ToolReport {
  readonly text: string
  /** Null where unknown. */
  readonly exitCode: number | null
  readonly failed: boolean
  readonly error: string | null
}

export function readReport(output: string): ToolReport {
  return (
    taggedReport(output) ??
    fromJson(output) ??
    fromHeader(output) ??
    reportOf(output, exitCodeIn(output))
  )
}

function reportOf(text: string, exitCode: number | null): ToolReport {
  return { text, exitCode, failed: false, error: null }
}

const tagCharacters = 200

export function taggedReport(output: string): ToolReport | null {
  const start = output.slice(0, tagCharacters)
  const code = /^\s*<(?:returncode|exit_code|exitcode)>\s{0,9}(-?\d{1,10})\s{0,9}<\//.exec(start)
  if (code === null) return null
  const opened = /<(output|output_head|stdout)>\n?/.exec(start)
  const from =
    opened === null ? output.indexOf('>', code[0].length) + 1 : opened.index + opened[0].length
  const close = opened === null ? -1 : output.lastIndexOf('</output')
  const text = output.slice(from, close < from ? output.length : close)
  return reportOf(text, Number(code[1]))
}

// Larger JSON is the content itself, not a wrapper.
const jsonCharacters = 1_000_000
const envelope =
  /"(?:output|stdout|stderr|exit_?code|returncode|exit_status|isError|success|error)"/i

function fromJson(output: string): ToolReport | null {
  if (output.length > jsonCharacters || !/^\s*\{/.test(output)) return null
  if (!envelope.test(output.slice(0, 400)) && !envelope.test(output.slice(-400))) return null
  const fields = fieldsIn(parsedJson(output))
  const inner = fieldsIn(fields['metadata'])
  const exitCode = exitCodeOf(fields) ?? exitCodeOf(inner)
  const texts = ['output', 'stdout', 'stderr'].flatMap((name) => textIn(fields, name))
  const inError = textIn(fieldsIn(fields['error']), 'message')
  const [error = null] = [...textIn(fields, 'error'), ...inError]
  const failed =
    fields['isError'] === true || fields['success'] === false || (error !== null && error !== '')
  if (exitCode === null && texts.length === 0 && !failed) return null
  return { text: texts.length === 0 ? output : texts.join('\n'), exitCode, failed, error }
}

function exitCodeOf(fields: Fields): number | null {
  const names = ['exit_code', 'exitCode', 'returncode', 'returnCode', 'exit_status']
  return names.map((name) => fields[name]).find((value) => typeof value === 'number') ?? null
}

function textIn(fields: Fields, name: string): readonly string[] {
  const value = Object.hasOwn(fields, name) ? fields[name] : null
  return typeof value === 'string' && value !== '' ? [value] : []
}

const headLines = 8

function fromHeader(output: string): ToolReport | null {
  const exitCode = exitCodeIn(output)
  if (exitCode === null) return null
  const head = output.slice(0, 1_000).split('\n', headLines)
  let at = 0
  for (const line of head) {
    at += line.length + 1
    if (/^(?:Output|Stdout):\s*$/.test(line)) return reportOf(output.slice(at), exitCode)
  }
  const [first = ''] = head
  const isAbove = exitLine.test(first.trim())
  return reportOf(isAbove ? output.slice(first.length + 1) : output, exitCode)
}

const edgeCharacters = 2_000

/** Reads only the first and last lines; the middle may mention any exit code. */
function exitCodeIn(output: string): number | null {
  const first = output.slice(0, edgeCharacters).trimStart().split('\n', headLines)
  const last = output.slice(-edgeCharacters).trimEnd().split('\n').slice(-headLines)
  for (const line of [...first.slice(0, 3), ...last.reverse()]) {
    const code = line.length > 200 || !mentionsExit.test(line) ? null : exitLine.exec(line.trim())
    if (code?.[1] !== undefined) return Number(code[1])
  }
  return null
}
