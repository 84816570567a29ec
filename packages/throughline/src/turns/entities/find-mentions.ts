/**
 * The entities that texts name: by label, by id, or by an id that they had before. The time is
 * that of reading the texts and the names once, however many entities there are.
 */
import type { Entity } from '../../domain/entity.ts'
import { foldedText } from '../turn-text.ts'
import { touchEntity } from './entity-states.ts'

/** Entities behind a turn, with the ids of those that its texts named. */
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
  const look = (entity: Entity, words: readonly string[]) => {
    if (isTelling(words)) addPhrase(root, words, entity)
  }
  const numbered = new Set(texts.flatMap((text) => text.match(/#\d{1,5}(?!\d)/g) ?? []))
  for (const entity of entities) {
    look(entity, wordsOfText(entity.label))
    for (const name of [entity.id, ...entity.aliases]) {
      if (isCount(name)) {
        look(entity, wordsOfText(`${entity.type} ${name}`))
        if (numbered.has(`#${name}`)) mentioned.add(entity)
        continue
      }
      const id = asId(name)
      if (id === null) look(entity, wordsOfText(name))
      else if (ids.has(id) && isTelling(wordsOfText(id))) mentioned.add(entity)
    }
  }
  link(root)
  for (const text of texts) findPhrases(root, wordsOfText(text), mentioned)
  return mentioned
}

/** As a number it may count anything: it names something behind its type, or as `#17`. */
function isCount(id: string): boolean {
  return /^\d{1,5}$/.test(id)
}

/**
 * Which of many phrases stand in a text, word by word, in one pass: the words are walked through
 * a tree of all phrases, and where no phrase goes on, the longest end of what was walked that
 * begins another is gone on with. However many phrases there are and whatever the text repeats,
 * the time is that of reading both once.
 */
interface Node {
  readonly next: Map<string, Node>
  /** The entities that the words so far name. */
  readonly ends: Entity[]
  /** The longest other beginning of a phrase that the words so far end with. */
  shorter: Node | null
  found: boolean
}

/** Adds the entities whose phrases stand in the text. */
function findPhrases(root: Node, text: readonly string[], found: Set<Entity>): void {
  let node = root
  for (const word of text) {
    node = step(node, word) ?? root
    // What is shorter than a place that was found before has been found with it.
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

/** Level by level, since what is shorter stands on a level before. */
function link(root: Node): void {
  const open = [root]
  for (const node of open)
    for (const [word, next] of node.next) {
      next.shorter = node === root ? root : (step(node.shorter, word) ?? root)
      open.push(next)
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

/** Scripts that are written without spaces: each character stands for itself. */
const unspaced =
  '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Hangul}\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}'

const words = new RegExp(`[${unspaced}]\\p{M}*|(?:(?![${unspaced}])[\\p{L}\\p{N}\\p{M}])+`, 'gu')
const isUnspaced = new RegExp(`^[${unspaced}]`, 'u')

function wordsOfText(text: string): readonly string[] {
  return foldedText(text).match(words) ?? []
}

/**
 * Whether the words name one thing and not anything: three characters, or a letter and a digit.
 * A character of a script without spaces says as much as two.
 */
function isTelling(name: readonly string[]): boolean {
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

/** What may be an id: `task-1` of `(see task-1)`, but not of `sub-task-1`; both parts of `id:task-1`. */
function idsOfText(text: string): ReadonlySet<string> {
  const ids = new Set<string>()
  for (const [run] of foldedText(text).matchAll(runs))
    for (const part of [run, ...run.split(/[:/@#=]/)]) ids.add(part.replace(edges, ''))
  return ids
}

/** As it is found by `idsOfText`; null where it is more than one run, or none. */
function asId(id: string): string | null {
  const text = foldedText(id).replace(edges, '')
  return text.match(runs)?.[0] === text ? text : null
}
