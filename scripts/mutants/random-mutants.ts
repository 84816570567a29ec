/**
 * Random mutants: small code changes at places drawn from a seed. The compiler accepts each of them:
 * another comparison, a negated condition, another number, an omitted call.
 */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseAst } from 'rolldown/parseAst'
import { seededRandom } from '../../harness/kernel/chance.ts'
import { isMutated, sourceFolder } from './listed-files.ts'

export interface RandomMutant {
  /** Relative to the root. */
  readonly file: string
  readonly line: number
  /** Code outside of functions runs once, whichever test loads it. */
  readonly isInFunction: boolean
  readonly from: string
  readonly to: string
  /** The whole file with the change. */
  readonly text: string
}

/** Takes the rooms in turn, so that a large one does not dominate. */
export function randomMutants(
  root: string,
  rooms: readonly string[],
  { seed, count }: { readonly seed: string; readonly count: number },
): readonly RandomMutant[] {
  const random = seededRandom(seed)
  const places = rooms.map((room) => changesOf(root, room))
  const drawn: RandomMutant[] = []
  for (let turn = 0; drawn.length < count && places.some(({ length }) => length > 0); turn += 1) {
    const left = places[turn % places.length] ?? []
    const [change] = left.length === 0 ? [] : left.splice(random(left.length), 1)
    if (change !== undefined && !drawn.some(({ text }) => text === change.text)) drawn.push(change)
  }
  return drawn
}

function changesOf(root: string, room: string): RandomMutant[] {
  const files = globSync(`${sourceFolder}/**/*.ts`, { cwd: root }).filter((file) =>
    isMutated(file, [room]),
  )
  return files.toSorted().flatMap((file) => {
    const text = readFileSync(join(root, file), 'utf8')
    const edits: Edit[] = []
    collect(parseAst(text, { lang: 'ts' }), text, false, edits)
    return edits.map(({ start, end, to, isInFunction }) => ({
      isInFunction,
      file,
      line: text.slice(0, start).split('\n').length,
      from: text.slice(start, end),
      to,
      text: text.slice(0, start) + to + text.slice(end),
    }))
  })
}

interface Edit extends Change {
  readonly isInFunction: boolean
}

interface Change {
  readonly start: number
  readonly end: number
  readonly to: string
}

/** The parts of a syntax tree that are read here. */
interface Node {
  readonly type: string
  readonly start: number
  readonly end: number
  readonly [field: string]: unknown
}

const otherOperators: Readonly<Record<string, string>> = {
  ...{ '&&': '||', '||': '&&', '<': '<=', '<=': '<', '>': '>=', '>=': '>' },
  ...{ '===': '!==', '!==': '===', '+': '-', '-': '+', '*': '+' },
}

/** An empty statement, so that a loop or a condition still has a body. */
export const leftOut = ';'

/** A map, because `toString` and `constructor` are names of methods too. */
const otherMethods: ReadonlyMap<string, string> = new Map(
  Object.entries({
    ...{ min: 'max', max: 'min', some: 'every', every: 'some', floor: 'ceil', ceil: 'floor' },
    ...{ startsWith: 'endsWith', find: 'findLast', findLast: 'find' },
  }),
)

/** A field of a class is initialized whenever an instance is created. */
const functionTypes: readonly string[] = [
  ...['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression', 'PropertyDefinition'],
]

function collect(value: unknown, text: string, isInside: boolean, edits: Edit[]): void {
  if (Array.isArray(value)) for (const each of value) collect(each, text, isInside, edits)
  if (!isNode(value) || value.type.startsWith('TS')) return
  const isInFunction = isInside || functionTypes.includes(value.type)
  edits.push(...changesAt(value, text).map((change) => ({ ...change, isInFunction })))
  for (const [field, child] of Object.entries(value))
    if (field !== 'typeAnnotation' && field !== 'returnType')
      collect(child, text, isInFunction, edits)
}

function changesAt(node: Node, text: string): readonly Change[] {
  const codeOf = ({ start, end }: Node) => text.slice(start, end)
  switch (node.type) {
    case 'BinaryExpression':
    case 'LogicalExpression': {
      const [left, right] = [node['left'] as Node, node['right'] as Node]
      const operator = String(node['operator'])
      const to = otherOperators[operator]
      // `+` also joins strings, which cannot be subtracted.
      if (to === undefined || /['"`]/.test(codeOf(node).slice(0, 2))) return []
      // Parentheses around an operand belong to no node, and stay.
      const start = left.end + text.slice(left.end, right.start).indexOf(operator)
      return [{ start, end: start + operator.length, to }]
    }
    case 'IfStatement':
    case 'ConditionalExpression': {
      const test = node['test'] as Node
      return [{ start: test.start, end: test.end, to: `!(${codeOf(test)})` }]
    }
    case 'UnaryExpression':
      return node['operator'] === '!' ? [{ start: node.start, end: node.start + 1, to: '' }] : []
    case 'Literal':
      if (typeof node['value'] === 'boolean')
        return [{ start: node.start, end: node.end, to: String(!node['value']) }]
      if (typeof node['value'] === 'number')
        return [{ start: node.start, end: node.end, to: String(node['value'] + 1) }]
      return []
    case 'MemberExpression': {
      const property = node['property'] as Node
      const to = otherMethods.get(String(property['name']))
      return to === undefined || node['computed'] === true
        ? []
        : [{ start: property.start, end: property.end, to }]
    }
    case 'ExpressionStatement': {
      const { type } = node['expression'] as Node
      return type === 'CallExpression' || type === 'AssignmentExpression'
        ? [{ start: node.start, end: node.end, to: leftOut }]
        : []
    }
    default:
      return []
  }
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value && 'start' in value
}
