/** Finds the entities that texts name by label, id or former id, in linear time. */
import type { Entity } from '../../domain/entity.ts'
import { foldedText } from '../turn-text.ts'
import { touchEntity } from './entity-states.ts'

/** Entities after a turn, with the ids of those that its texts named. */
export interface TouchedEntities {
  readonly entities: readonly Entity[]
  readonly touched: readonly string[]
}

export function touchMentioned(
  entities: readonly Entity[],
  turn: number,
  texts: readonly string[],
): TouchedEntities {
  const mentioned = mentionedIn(entities, texts)
  const touched = entities.filter((entity) => mentioned.has(entity)).map(({ id }) => id)
  return {
    entities: entities.map((entity) =>
      mentioned.has(entity) ? touchEntity(entity, turn) : entity,
    ),
    touched,
  }
}

function mentionedIn(entities: readonly Entity[], texts: readonly string[]): ReadonlySet<Entity> {
  const mentioned = new Set<Entity>()
  const ids = new Set(texts.flatMap((text) => [...idsOfText(text)]))
  const root = newNode()
  const addName = (entity: Entity, words: readonly string[]) => {
    if (isDistinctive(words)) addPhrase(root, words, entity)
  }
  const numberSigns = new Set(texts.flatMap((text) => text.match(/#\d{1,5}(?!\d)/g) ?? []))
  for (const entity of entities) {
    addName(entity, wordsOfText(entity.label))
    for (const name of [entity.id, ...entity.aliases]) {
      if (isCount(name)) {
        addName(entity, wordsOfText(`${entity.type} ${name}`))
        if (numberSigns.has(`#${name}`)) mentioned.add(entity)
        continue
      }
      const id = asId(name)
      if (id === null) addName(entity, wordsOfText(name))
      else if (ids.has(id) && isDistinctive(wordsOfText(id))) mentioned.add(entity)
    }
  }
  linkSuffixes(root)
  for (const text of texts) findPhrases(root, wordsOfText(text), mentioned)
  return mentioned
}

/** A short number may count anything, so it names an entity only after its type or as `#17`. */
function isCount(id: string): boolean {
  return /^\d{1,5}$/.test(id)
}

/** Aho–Corasick over words: finds all phrases in one pass, in linear time. */
interface Node {
  readonly next: Map<string, Node>
  readonly ends: Entity[]
  /** The longest proper suffix of these words that starts another phrase. */
  shorter: Node | null
  found: boolean
}

function findPhrases(root: Node, text: readonly string[], found: Set<Entity>): void {
  let node = root
  for (const word of text) {
    node = step(node, word) ?? root
    // A node that was found before has already reported its shorter phrases.
    for (let end: Node | null = node; end !== null && !end.found; end = end.shorter) {
      end.found = true
      for (const entity of end.ends) found.add(entity)
    }
  }
}

function addPhrase(root: Node, words: readonly string[], entity: Entity): void {
  let node = root
  for (const word of words) {
    const next = node.next.get(word) ?? newNode()
    node.next.set(word, next)
    node = next
  }
  node.ends.push(entity)
}

/** Breadth-first: a shorter suffix is on an earlier level. */
function linkSuffixes(root: Node): void {
  const queue = [root]
  for (const node of queue)
    for (const [word, next] of node.next) {
      next.shorter = node === root ? root : (step(node.shorter, word) ?? root)
      queue.push(next)
    }
}

function step(from: Node | null, word: string): Node | null {
  for (let node = from; node !== null; node = node.shorter) {
    const next = node.next.get(word)
    if (next !== undefined) return next
  }
  return null
}

function newNode(): Node {
  return { next: new Map(), ends: [], shorter: null, found: false }
}

const unspaced =
  '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Hangul}\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}'

const words = new RegExp(`[${unspaced}]\\p{M}*|(?:(?![${unspaced}])[\\p{L}\\p{N}\\p{M}])+`, 'gu')
const isUnspaced = new RegExp(`^[${unspaced}]`, 'u')

function wordsOfText(text: string): readonly string[] {
  return foldedText(text).match(words) ?? []
}

/** Needs three characters (those of unspaced scripts count twice), or a letter and a digit. */
function isDistinctive(name: readonly string[]): boolean {
  const text = name.join('')
  if (/\p{L}/u.test(text) && /\p{N}/u.test(text)) return true
  let weight = 0
  for (const character of text) {
    weight += isUnspaced.test(character) ? 2 : 1
    if (weight >= 3) return true
  }
  return false
}

const marks = '_.:/@#+~=-'
const runs = new RegExp(`(?:(?![${unspaced}])[\\p{L}\\p{N}\\p{M}${marks}])+`, 'gu')
const edges = new RegExp(`^[${marks}]+|(?<![${marks}])[${marks}]+$`, 'gu')

/** Possible ids: `task-1` in `(see task-1)` but not in `sub-task-1`; both parts of `id:task-1`. */
function idsOfText(text: string): ReadonlySet<string> {
  const ids = new Set<string>()
  for (const [run] of foldedText(text).matchAll(runs))
    for (const part of [run, ...run.split(/[:/@#=]/)]) ids.add(part.replace(edges, ''))
  return ids
}

function asId(id: string): string | null {
  const text = foldedText(id).replace(edges, '')
  return text.match(runs)?.[0] === text ? text : null
}
