/** The type of a file, by its name. */
const types: Readonly<Record<string, string>> = {
  ...named('typescript', 'ts tsx mts cts'),
  ...named('javascript', 'js jsx mjs cjs'),
  ...named('python', 'py pyi'),
  ...named('notebook', 'ipynb'),
  ...named('ruby', 'rb'),
  ...named('rust', 'rs'),
  ...named('kotlin', 'kt kts'),
  ...named('csharp', 'cs'),
  ...named('cpp', 'cpp cc cxx hpp hh'),
  ...named('c', 'c h'),
  ...named('shell', 'sh bash zsh'),
  ...named('markdown', 'md mdx markdown'),
  ...named('yaml', 'yaml yml'),
  ...named('html', 'html htm'),
  ...named('text', 'txt log'),
  ...named('image', 'png jpg jpeg gif webp svg'),
}

function named(type: string, endings: string): Readonly<Record<string, string>> {
  return Object.fromEntries(endings.split(' ').map((ending) => [ending, type]))
}

/** Others are called as their names end: `go`, `sql`, `toml`. */
export function fileTypeOf(path: string): string {
  const name = /[^\\/]*$/.exec(path.slice(-nameCharacters))?.[0] ?? ''
  const ending = /[^.]\.([A-Za-z][A-Za-z0-9]{0,11})$/.exec(name)?.[1]?.toLowerCase()
  if (ending !== undefined) return Object.hasOwn(types, ending) ? (types[ending] ?? ending) : ending
  return /^(?:docker|make|rake|gem|just)file$/i.test(name) ? name.toLowerCase() : 'unknown'
}

const nameCharacters = 300
