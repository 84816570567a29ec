/** Which things texts name, in the plainest way that there is: word by word, name by name. */

interface Named {
  readonly id: string
  readonly type: string
  readonly label: string
  readonly former: readonly string[]
}

export function namedIn<Thing extends Named>(
  things: readonly Thing[],
  texts: readonly string[],
): ReadonlySet<Thing> {
  const said = texts.map(wordsIn)
  const names = new Set(texts.flatMap(namesIn))
  const stands = (wanted: string) => said.some((words) => stand(wordsIn(wanted), words))
  // A number alone may count anything.
  const isSaid = (name: string, type: string) =>
    /^\d{1,5}$/.test(name)
      ? names.has(`#${name}`) || stands(`${type} ${name}`)
      : names.has(folded(name))
  return new Set(
    things.filter(
      ({ id, type, label, former }) =>
        stands(label) || [id, ...former].some((name) => isSaid(name, type)),
    ),
  )
}

function folded(text: string): string {
  return text.normalize('NFKC').toLowerCase()
}

/** A character of Chinese is a word of its own. */
function wordsIn(text: string): readonly string[] {
  return (
    folded(text)
      .replace(/\p{Script=Han}/gu, ' $& ')
      .match(/[\p{L}\p{N}\p{M}]+/gu) ?? []
  )
}

function namesIn(text: string): readonly string[] {
  return folded(text)
    .split(/[\s()[\]{}"',;!?]+/u)
    .map((name) => name.replace(/^[.:]+|[.:]+$/g, ''))
    .flatMap((name) => [name, name.replace(/^#/, '')])
}

function stand(wanted: readonly string[], words: readonly string[]): boolean {
  const [first] = wanted
  for (let at = words.indexOf(first ?? ''); at >= 0; at = words.indexOf(first ?? '', at + 1))
    if (wanted.every((word, index) => words[at + index] === word)) return true
  return false
}
