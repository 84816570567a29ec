/** Names in a text that people ask for by a part of them: paths, identifiers, hashes, versions. */
export function searchedNames(text: string): readonly string[] {
  const names = new Set<string>()
  for (const [found] of text.matchAll(candidates)) {
    const name = found.replace(edges, '')
    if (name.length < leastCharacters || !looksMade.test(name)) continue
    names.add(name.slice(0, mostCharacters).toWellFormed())
    if (names.size === mostNames) break
  }
  return [...names]
}

// Bounded, so that a run of a megabyte is many names and not one.
const candidates = /[\p{L}\p{N}_$@#./\\:~+-]{4,256}/gu
const edges = /^[./\\:~+#@-]+(?=[\p{L}\p{N}_$])|[./\\:~+#@-]+$/gu
/** A sign within it, letters with digits, or capitals behind small letters. */
const looksMade = /[_$@/\\]|\p{L}[.:]\p{L}|\p{L}\p{N}|\p{N}\p{L}|\p{Ll}\p{Lu}|\p{N}[.:-]\p{N}/u
const leastCharacters = 4
const mostCharacters = 200
const mostNames = 100
