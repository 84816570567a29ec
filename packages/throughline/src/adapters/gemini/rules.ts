/**
 * The rules of generateContent for system instruction, tools and contents, from its
 * references and the errors that it answers with. Stricter than the service in some
 * places, so that a request has one spelling: roles alternate, responses come first in
 * their content, ids are not used twice, and an empty list is left out.
 */
import type { RequestProblem } from '../../ports/adapter.ts'
import { problemUnless } from '../problem-unless.ts'
import { type Fields, isFields } from '../unknown-json.ts'
import { flawsIn } from '../well-formed.ts'
import { pairProblems } from './pair-rules.ts'
import { dataField } from './part-fields.ts'
import { partProblems } from './part-rules.ts'
import { toolsProblems } from './tool-rules.ts'

type Problems = readonly RequestProblem[]

/**
 * Everything that Gemini's generateContent would refuse in a request; empty for one that is taken. See `openaiChatProblems`.
 */
export function geminiContentsProblems(request: unknown): readonly RequestProblem[] {
  if (!isFields(request))
    return [{ rule: 'request-shape', at: '', message: 'must be an object with contents' }]
  const { systemInstruction, contents, tools } = request
  const flaws = flawsIn({ systemInstruction, contents, tools })
  // What is nested without end is not looked at further.
  if (flaws.some(({ rule }) => rule !== 'unicode')) return flaws
  return [
    ...flaws,
    ...systemProblems(systemInstruction),
    ...toolsProblems(tools),
    ...contentsProblems(contents),
  ]
}

function systemProblems(instruction: unknown): Problems {
  const at = 'systemInstruction'
  if (instruction === undefined) return []
  if (!isFields(instruction) || !Array.isArray(instruction['parts']))
    return [{ rule: 'system-shape', at, message: 'must be a content' }]
  const { role, parts, ...rest } = instruction
  const list = parts as readonly unknown[]
  const text = (part: unknown) => isFields(part) && dataField(part) === 'text'
  return [
    ...problemUnless(
      Object.keys(rest).length === 0 && (role === undefined || typeof role === 'string'),
      'system-shape',
      at,
      'holds parts, and perhaps a role',
    ),
    ...problemUnless(list.length > 0, 'system-empty', `${at}.parts`, 'must hold a part'),
    ...list.flatMap((part, index): Problems => {
      const place = `${at}.parts[${index}]`
      if (!text(part)) return [{ rule: 'system-shape', at: place, message: 'must be text' }]
      const { thought, thoughtSignature } = part as Fields
      if (thought !== undefined || thoughtSignature !== undefined)
        return [{ rule: 'system-shape', at: place, message: 'is no thought' }]
      return partProblems(part, 'user', place)
    }),
  ]
}

function contentsProblems(contents: unknown): Problems {
  if (!Array.isArray(contents) || contents.length === 0)
    return [{ rule: 'contents-empty', at: 'contents', message: 'must hold a content' }]
  const list = contents as readonly unknown[]
  const shapes = list.flatMap((content, index) =>
    shapeProblems(content, list.length, `contents[${index}]`),
  )
  // Turns and pairs are only looked for among contents that are contents.
  const sound = list.filter(isFields).flatMap(({ parts }) => (Array.isArray(parts) ? [parts] : []))
  const rough = shapes.some(({ rule }) => rule === 'content-shape' || rule === 'role')
  if (rough || sound.length < list.length) return shapes
  return [...shapes, ...turnProblems(list.filter(isFields)), ...pairProblems(sound)]
}

function shapeProblems(content: unknown, among: number, at: string): Problems {
  if (!isFields(content)) return [{ rule: 'content-shape', at, message: 'must be an object' }]
  const { role, parts, ...rest } = content
  // A single content without a role is the user's.
  if (role !== 'user' && role !== 'model' && !(role === undefined && among === 1))
    return [{ rule: 'role', at: `${at}.role`, message: 'must be user or model' }]
  const extra = Object.keys(rest).map((field) => ({
    rule: 'content-fields',
    at: `${at}.${field}`,
    message: 'is no field of a content',
  }))
  if (!Array.isArray(parts))
    return [...extra, { rule: 'content-shape', at: `${at}.parts`, message: 'must be a list' }]
  if (parts.length === 0)
    return [...extra, { rule: 'parts-empty', at: `${at}.parts`, message: 'must hold a part' }]
  return [
    ...extra,
    ...parts.flatMap((part: unknown, index) =>
      partProblems(part, role ?? 'user', `${at}.parts[${index}]`),
    ),
  ]
}

function turnProblems(contents: readonly Fields[]): Problems {
  const last = contents.length - 1
  const isModel = (index: number) => contents[index]?.['role'] === 'model'
  return [
    ...problemUnless(!isModel(0), 'first-content', 'contents[0]', 'must be the user’s'),
    ...contents.flatMap((_content, index) =>
      problemUnless(
        index === 0 || isModel(index) !== isModel(index - 1),
        'alternation',
        `contents[${index}]`,
        'must have another role than the content before it',
      ),
    ),
    ...problemUnless(!isModel(last), 'last-content', `contents[${last}]`, 'must be the user’s'),
  ]
}
