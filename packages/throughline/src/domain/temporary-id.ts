/**
 * Ids that agents make up for what they have generated, and ids that stand for one that is not
 * known. They stand in no database: used as a key by a later turn they fail, or hit another row.
 */

/** By its form alone; where it came from is looked at elsewhere. */
export function isTemporaryId(id: string): boolean {
  const text = id.normalize('NFKC').trim()
  return text === '' || made.test(text) || numbered.test(text) || blank.test(text)
}

/** `temp_recipe_1`, `TMP-3`, `gen:soup`, `temp12`; but `temperature`, `genre-3`, `general`. */
const made = /^(?:temp|tmp|temporary|gen|generated|placeholder|unsaved)(?:[^\p{L}\p{N}]|\d+$|$)/iu

/** These words also begin names that people give (`new-york`), so only a number may follow. */
const numbered = /^(?:new|draft|local|pending|unknown)(?:[^\p{L}\p{N}]?\d+)?$/iu

/** What stands where an id was to be filled in. */
const blank = /^(?:undefined|null|nan|\[object object\]|<[^<>]*>|\$?\{[^{}]*\}|\{\{[^{}]*\}\})$/iu
