/**
 * The entities that texts name: by label, by id, or by an id that they had before. The time is
 * that of reading the texts and the names once, however many entities there are.
 */
import type { Entity } from '../../domain/entity.ts'
import { foundPhrases } from '../judge/phrase-finder.ts'
import { asId, idsOfText, isTelling, wordsOfText } from '../judge/words-of-text.ts'
import { touchEntity } from './touch-entity.ts'

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
  const phrases: (readonly string[])[] = []
  const holders: Entity[] = []
  const look = (entity: Entity, words: readonly string[]) => {
    if (!isTelling(words)) return
    phrases.push(words)
    holders.push(entity)
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
  for (const place of foundPhrases(phrases, texts.map(wordsOfText))) {
    const holder = holders[place]
    if (holder !== undefined) mentioned.add(holder)
  }
  return mentioned
}

/** As a number it may count anything: it names something behind its type, or as `#17`. */
function isCount(id: string): boolean {
  return /^\d{1,5}$/.test(id)
}
