/** Names of files, held against one another: the same file is named from here and from there. */

/** The name alone, without its folders. */
export function bareName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}

/** Equal, or one of them is the end of the other from a folder on. */
export function isSameFile(one: string, other: string): boolean {
  if (one === other) return true
  const [short, long] = one.length < other.length ? [one, other] : [other, one]
  return short.includes('/') && long.endsWith(short.startsWith('/') ? short : `/${short}`)
}
