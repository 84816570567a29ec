/**
 * Colours code. The library is typed by what we use of it: its own types bring those of browsers into every file of the
 * repository.
 */
import { createRequire } from 'node:module'

interface Highlighter {
  registerLanguage(name: string, language: unknown): void
  highlight(text: string, options: { readonly language: string }): { readonly value: string }
}

const require = createRequire(import.meta.url)
const highlighter = require('highlight.js/lib/core') as Highlighter
const languages: Readonly<Record<string, unknown>> = {
  ts: require('highlight.js/lib/languages/typescript'),
  js: require('highlight.js/lib/languages/javascript'),
  sh: require('highlight.js/lib/languages/bash'),
  json: require('highlight.js/lib/languages/json'),
  sql: require('highlight.js/lib/languages/sql'),
  yaml: require('highlight.js/lib/languages/yaml'),
}
for (const [name, language] of Object.entries(languages))
  highlighter.registerLanguage(name, language)

/** HTML of the code; null for an unknown language. */
export function highlight(text: string, language: string): string | null {
  if (!Object.hasOwn(languages, language)) return null
  return highlighter.highlight(text, { language }).value
}
